import { expect, test } from 'vitest'
import type { Env } from '../../../src/platform/access/env.ts'
import type { Values } from '../../../src/platform/model/model.ts'
import { toolModel, toolParameterModel } from '../../../src/voiceai/tools/tool.ts'
import { TOOL_CHECKS } from '../../../src/voiceai/tools/tool-rules.ts'
import { checkValues } from '../../support/model-checks.ts'

const ENV = {} as Env
const requireUsableTool = (after: Values) => {
  for (const { require } of TOOL_CHECKS) require({ env: ENV, values: after, after, current: undefined })
}
const aTool = (values: object) => ({ tool_type: 'webhook', path: '/a', response_timeout_secs: 20, ...values })

test.each([
  {},
  { path: 'connect_voiceai/transfer' },
  { path: null, url: 'https://tools.example.com/x?y=1' },
  { tool_type: 'system', path: null },
  { tool_type: 'client', path: '', url: '' },
  { path: '/tickets/{ticket_id}/notes/{note.id}' },
  { path: null, url: 'https://crm.example.com/contacts/{id}?view=short' },
])('a tool with %j can work', (values) => {
  expect(() => requireUsableTool(aTool(values))).not.toThrow()
})

test.each([
  [{ path: '//evil.example.com/x' }, /\.path" must be a path of this service/],
  [{ path: '/a b' }, /\.path" must be a path of this service/],
  [{ path: '/a#b' }, /\.path" must be a path of this service/],
  [{ path: null, url: 'ftp://example.com' }, /\.url" must be an http or https address/],
  [{ path: null, url: 'javascript:alert(1)' }, /\.url" must be an http or https address/],
  [{ path: null, url: 'https://' }, /\.url" must be an http or https address/],
  [{ path: '/tickets/{{ticket_id}}' }, /\.path" has braces that name no parameter: write \{name\}/],
  [{ path: '/tickets/{ticket_id' }, /\.path" has braces that name no parameter/],
  [
    { path: null, url: 'https://crm.example.com/x?id={id}' },
    /\.url" has \{id\} outside of its path: add a parameter "id"/,
  ],
])('a tool with %j is refused', (values, sentence) => {
  expect(() => requireUsableTool(aTool(values))).toThrow(sentence)
})

test.each([
  ['webhook', 5, 300],
  ['system', 1, 120],
  ['client', 1, 120],
])('a %s tool waits from %i to %i seconds', (type, min, max) => {
  const waiting = (seconds: number) => () =>
    requireUsableTool(aTool({ tool_type: type, response_timeout_secs: seconds }))
  expect(waiting(min)).not.toThrow()
  expect(waiting(max)).not.toThrow()
  for (const seconds of [min - 1, max + 1]) {
    expect(waiting(seconds)).toThrow(
      new RegExp(`"connect\\.voiceai_agent_tool\\.response_timeout_secs" .* from ${min} to ${max}\\.$`),
    )
  }
})

test.each([
  ['helpdesk_create-ticket2', true],
  ['a'.repeat(64), true],
  ['a'.repeat(65), false],
  ['two words', false],
  ['größe', false],
  ['', false],
])('the tool name %s: %s', (name, isAccepted) => {
  const field = toolModel.fields.name
  const pattern = field !== undefined && 'pattern' in field ? field.pattern : undefined
  expect(pattern?.matches.test(name)).toBe(isAccepted)
})

test.each([
  { value_type: 'description', data_type: 'integer' },
  { value_type: 'dynamic_variable', data_type: 'integer' },
  { value_type: 'constant_value', data_type: 'string', constant_value: 'x' },
  { value_type: 'constant_value', data_type: 'integer', constant_value: '-12' },
  { value_type: 'constant_value', data_type: 'boolean', constant_value: 'false' },
])('a parameter with %j has a value', (values) => {
  expect(() => checkValues(toolParameterModel, values)).not.toThrow()
})

test.each([
  [{ data_type: 'string', constant_value: '' }, /constant_value" is required/],
  [{ data_type: 'string', constant_value: null }, /constant_value" is required/],
  [{ data_type: 'integer', constant_value: '1.5' }, /constant_value" must be a whole number/],
  [{ data_type: 'boolean', constant_value: 'yes' }, /constant_value" must be true or false/],
])('a constant with %j is refused', (values, sentence) => {
  expect(() => checkValues(toolParameterModel, { value_type: 'constant_value', ...values })).toThrow(sentence)
})
