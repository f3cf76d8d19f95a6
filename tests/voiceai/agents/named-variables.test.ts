import { expect, test } from 'vitest'
import { variablesIn } from '../../../src/voiceai/agents/named-variables.ts'

test.each<[string, unknown, string[]]>([
  ['a text', 'Hello {{ name }}, {{name}} of {{city}}', ['name', 'city']],
  ['a configuration at any depth', { a: [{ b: 'x {{one}}' }, { dynamicVariable: 'two' }] }, ['one', 'two']],
  ['a header that takes one', { requestHeaders: { 'x-call': { variableName: 'call_id' } } }, ['call_id']],
  ['a stored parameter', { name: 'car', dynamic_variable: 'vehicle' }, ['vehicle']],
  ["the platform's own", 'At {{system__time}}', []],
  ['values for its test page', { dynamicVariables: { dynamicVariablePlaceholders: { a: '{{b}}' } } }, []],
  ['nothing', [null, undefined, 7, true, '{{}}', '{ x }', '{{two words}}'], []],
  ['a name of every object', '{{__proto__}} {{constructor}}', ['__proto__', 'constructor']],
  ['a name too long to be one', `{{${'x'.repeat(201)}}}`, []],
])('variables are found in %s', (_what, value, names) => {
  expect(variablesIn(value)).toEqual(names)
})
