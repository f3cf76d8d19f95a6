import { expect, test } from 'vitest'
import type { Env } from '../../src/platform/access/env.ts'
import { markupModel } from '../../src/telco/applications/application.ts'
import { parseValues } from '../../src/telco/messages/message-configuration.ts'
import { numberModel } from '../../src/telco/numbers/number.ts'
import { requireSipPassword } from '../../src/telco/phone-users/sip-password.ts'
import { contentTemplateModel } from '../../src/telco/whatsapp/content-template.ts'
import { checkValues } from '../support/model-checks.ts'

const prepared = async (values: object) => await numberModel.prepare?.({} as Env, { ...values }, undefined)

test.each([
  ['Abcdefgh1234', undefined],
  ['Abcdefg1234', 'must have at least 12 characters'],
  ['ABCDEFGH1234', 'must contain a lower-case letter'],
  ['abcdefgh1234', 'must contain a capital letter'],
  ['abcdefghijkl', 'must contain a capital letter and a digit'],
])('the password %s: %s', (password, problem) => {
  const check = () => requireSipPassword(password)
  if (problem === undefined) expect(check).not.toThrow()
  else expect(check).toThrow(`"connect.user.password" ${problem}.`)
})

test('a number keeps the link of its destination and loses the others', async () => {
  const given = { destination: 'callflow', callflow: 3, user: 4, voiceai_agent: 5 }
  expect(await prepared(given)).toEqual({
    destination: 'callflow',
    callflow: 3,
    user: null,
    markup: null,
    voiceai_agent: null,
  })
})

test('a number without a destination has no links', async () => {
  expect(await prepared({ destination: null, user: 4 })).toMatchObject({ user: null, callflow: null })
})

test('a link that is not written stays as it is stored', async () => {
  expect(await prepared({ destination: 'user' })).not.toHaveProperty('user')
})

test.each([
  { code_type: 'markup' },
  { code_type: 'markup', model: null, method: '' },
  { code_type: 'model_method', model: 'connect.telco.domain', method: 'route_call' },
])('an application %j is safe', (values) => {
  expect(() => checkValues(markupModel, values)).not.toThrow()
})

test.each([
  [{ code_type: 'model_method' }, /can only be "route_call"/],
  [{ code_type: 'model_method', model: 'res.users', method: 'unlink' }, /can only be "route_call"/],
  [{ code_type: 'markup', model: 'connect.telco.domain', method: 'unlink' }, /can only be "route_call"/],
])('an application %j is refused', (values, sentence) => {
  expect(() => checkValues(markupModel, values)).toThrow(sentence)
})

test('a number is not offered the route of calls, which leads back to it', () => {
  expect(numberModel.fields.markup).toMatchObject({ offers: [['code_type', '=', 'markup']] })
})

test('values of new records are a JSON object', () => {
  expect(parseValues(' {"comment": "From SMS", "is_company": false} ')).toEqual({
    comment: 'From SMS',
    is_company: false,
  })
})

test.each(["{'a': 1}", '[1]', 'null', '"a"', '{"a": 1,}', '', '{"a": __import__("os")}'])(
  'values of new records written %s are refused',
  (written) => {
    expect(() => parseValues(written)).toThrow(/default_values" must be a JSON object/)
  },
)

const stored = {
  id: 1,
  body: 'Hello',
  category: 'UTILITY',
  variables: { 1: 'a' },
  language: 2,
  allow_category_change: true,
}

test.each(['unsubmitted', 'rejected'])('the content of a template that is %s can be changed', (status) => {
  expect(() =>
    checkValues(contentTemplateModel, { body: 'Bye', category: 'MARKETING' }, { ...stored, status }),
  ).not.toThrow()
})

test.each(['missing', 'received', 'pending', 'approved', 'paused', 'disabled'])(
  'the content of a template that is %s stays',
  (status) => {
    expect(() => checkValues(contentTemplateModel, { body: 'Bye' }, { ...stored, status })).toThrow(
      `"connect.message_content_template.body" cannot be changed while the template is ${status}.`,
    )
  },
)

test('content that comes back unchanged is no change', () => {
  const values = { body: 'Hello', variables: { 1: 'a' }, language: 2, category: 'UTILITY' }
  expect(() => checkValues(contentTemplateModel, values, { ...stored, status: 'pending' })).not.toThrow()
})

test.each([
  ['approved', true, true],
  ['approved', false, false],
  ['pending', true, false],
])('the category of a template that is %s, changes allowed: %s', (status, isAllowed, isChangeable) => {
  const change = () =>
    checkValues(
      contentTemplateModel,
      { category: 'MARKETING' },
      { ...stored, status, allow_category_change: isAllowed },
    )
  if (isChangeable) expect(change).not.toThrow()
  else expect(change).toThrow(/\.category" cannot be changed/)
})
