import { expect, test } from 'vitest'
import { asDialled, extenPattern, isPlainNumber, nextNumber } from '../../../src/telco/extensions/extension-number.ts'
import { parseReference, readTarget } from '../../../src/telco/extensions/extension-target.ts'

test.each([
  ['connect.user,7', { model: 'connect.user', resId: 7 }],
  [' connect.telco.callflow, 12 ', { model: 'connect.telco.callflow', resId: 12 }],
  ['connect.telco.markup,1', { model: 'connect.telco.markup', resId: 1 }],
  ['connect.voiceai_agent,2', { model: 'connect.voiceai_agent', resId: 2 }],
])('the reference %s names a target', (written, target) => {
  expect(parseReference(written)).toEqual(target)
})

test.each([null, undefined, false, ''])('the reference %s is no target', (written) => {
  expect(parseReference(written)).toBeUndefined()
})

test.each(['connect.user', 'connect.user,', 'connect.user,x', 'connect.user,-1', ',7', 7, ['connect.user', 7], {}])(
  'the reference %j is refused, and the sentence names the field',
  (written) => {
    expect(() => parseReference(written)).toThrow(/"connect\.telco\.exten\.dst" must be written "model,id"/)
  },
)

test.each(['res.users,1', 'connect.settings,1', 'constructor,1', 'connect.telco.exten,1'])(
  'an extension cannot lead to %s',
  (written) => {
    expect(() => parseReference(written)).toThrow(/^An extension can lead to connect\.user, /)
  },
)

test.each([
  ['connect.user', null],
  ['connect.user', 0],
  ['connect.user', 1.5],
  ['connect.user', '7'],
])('the model %s with the record %j is half a target and refused', (model, resId) => {
  expect(() => readTarget(model, resId)).toThrow(/"connect\.telco\.exten\.res_id"/)
})

test('a record without a model is refused', () => {
  expect(() => readTarget(null, 7)).toThrow(/^An extension can lead to/)
})

test.each([
  ['101', '101'],
  [' 101 ', '101'],
  ['\u200e177\u200f', '177'],
  ['\uff11\uff10\uff11', '101'],
  ['\u0967\u0966\u0967', '101'],
  ['+41 79 555 01 75', '+41795550175'],
  ['(+41) 79-555-01-75', '+41795550175'],
  ['2\\d\\d', '2\\d\\d'],
  ['+4179.......', '+4179.......'],
  ['1(0|1)', '1(0|1)'],
  ['0301234.67', '0301234.67'],
  ['+41 (0)79 555 01 75', '+41795550175'],
  ['+39 (0)6 1234 5678', '+390612345678'],
  ['+41.79.555.01.75', '+41795550175'],
  ['079.555.01.75', '0795550175'],
  ['41795550175.0', '+41795550175'],
  ["'+41795550175", '+41795550175'],
  ['Tel. 079 555 01 75', '0795550175'],
  ['tel:+41795550175', '+41795550175'],
  ['079 555 01 75 (mobile)', '0795550175'],
  ['079 555 01 75 / 044 555 01 75', '0795550175'],
  // With fewer digits than an amount of a spreadsheet needs for its country, nobody knows of which it would be.
  ['313808316.0', '313808316'],
  ['100200.0', '100200'],
  ['0301234.0', '0301234.0'],
  ['101 ext. 5', '101'],
  // Two extensions are none: their check refuses them.
  ['101 / 102', '101 / 102'],
  ['101, 102', '101, 102'],
  ['101; 102', '101; 102'],
  ['101,102', '101,102'],
  ['Tel. 101, 102', 'Tel. 101, 102'],
  ['Tel. 101 / 102', 'Tel. 101 / 102'],
])('the extension that is written %j is dialled as %s', (written, number) => {
  expect(asDialled(written)).toBe(number)
})

test.each(['101', '*97', '#1', '+15550100001'])('%s is dialled as it stands', (number) => {
  expect(isPlainNumber(number)).toBe(true)
})

test.each([
  ['2\\d\\d', '215', '2150'],
  ['2..', '2ab', '2'],
  ['+49.*', '+4930123', '4930123'],
  ['1[0-4]|9', '9', '15'],
  ['00\\d{5,}', '0012345', '001234'],
  ['^2\\d{2}$', '215', '2150'],
  ['(?:2|3)\\d[^9]', '318', '319'],
])('the pattern %s fits %s and not %s', (pattern, fitting, other) => {
  expect(extenPattern(pattern)?.test(fitting)).toBe(true)
  expect(extenPattern(pattern)?.test(other)).toBe(false)
})

test.each([
  '(1',
  '[1',
  '1{2',
  '(1+)+2',
  '(1|11)*',
  '(1+){9}',
  '.*.*.*.*1',
  'abc',
  '101,102',
  '101, 102',
  '(?<=1)2',
  '\\b1',
  '+',
  '()',
  '1'.repeat(65),
])('%s is no pattern: it is wrong, or could take long to match', (pattern) => {
  expect(extenPattern(pattern)).toBeUndefined()
})

test.each([
  [[], '100'],
  [['101', '7', '+15550100001', '2\\d\\d', '12345'], '102'],
  [['9999'], undefined],
  // The police and the fire brigade, and the police of Switzerland.
  [['111'], '113'],
  [['910'], '912'],
  [['116'], '119', 'CH'],
])('after %j comes %s', (taken, next, country?: string) => {
  expect(nextNumber(taken, { digitsMax: 4, country })).toBe(next)
})
