// Refusals of phone users, extensions, call flows, applications, numbers and caller ids: each by its code, its status and its sentence.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { aSid } from '../fixtures/records.ts'
import { aNumberOfOurs, aSender, aTemplate, firstOf } from '../fixtures/telco-rows.ts'
import { expectRefusedCall, type RefusedCall } from '../support/refusals.ts'
import { insertRow } from '../support/rows.ts'
import { aPbxUser, setUpTelco } from '../support/telco.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: Caller
/** A phone that cannot ring. */
let silent: number
let phone: Awaited<ReturnType<typeof aPbxUser>>
let domain: number

beforeAll(async () => {
  app = await TestApp.start()
  admin = app.admin
  await setUpTelco(app)
  phone = await aPbxUser(app, { username: 'anna', extension: '101' })
  domain = await firstOf(app, 'connect_telco_domain')
  silent = await make('connect.user', {
    user: (await app.person([])).userId,
    username: 'silent',
    domain,
    sip_enabled: false,
    client_enabled: false,
  })
})
afterAll(() => app.stop())

const make = (model: string, values: object) => admin.ask<number>(model, 'create', { vals_list: values })

/** Digits of an extension that is counted on. */
const DIGITS_MAX = 4

it('a target has one extension, and both sentences say so', async () => {
  const second = { number: '155', dst: `connect.user,${phone.id}` }
  const { status, body } = await admin.call('connect.telco.exten', 'create', { vals_list: second })
  const problems = [{ code: 'extension-already-leads' }, { code: 'extension-of-target-twice' }]
  expect(status).toBe(409)
  expect(body).toMatchObject({ context: { problems } })
})

describe('of phone users and their extensions', () => {
  const newUser = async (values: object) => ({
    vals_list: { user: (await app.person([])).userId, client_enabled: false, sip_enabled: false, ...values },
  })
  const CASES: readonly RefusedCall[] = [
    [
      'no-free-number-digits-after-last',
      'connect.telco.exten/copy',
      async () => ({ ids: [await anExtension('9'.repeat(DIGITS_MAX))] }),
      409,
      'There is no free number of 4 digits after the last one.',
    ],
    [
      'sip-password-too-short',
      'connect.user/create',
      () => newUser({ username: 'ben', domain, password: 'Abc1' }),
      422,
      '"connect.user.password" must have at least 12 characters.',
    ],
    [
      'connect-user-password',
      'connect.user/create',
      () => newUser({ username: 'ben', domain, password: 'abcdefghijkl' }),
      422,
      '"connect.user.password" must contain a capital letter and a digit.',
    ],
    [
      'connect-user-user-must-internal-user',
      'connect.user/create',
      async () => ({ vals_list: { user: await external(), client_enabled: false, sip_enabled: false } }),
      422,
      '"connect.user.user" must be an internal user.',
    ],
    [
      'connect-user-whatsapp-sender-id-must',
      'connect.user/create',
      async () => newUser({ whatsapp_sender_id: await aSender(app, 'OFFLINE') }),
      422,
      '"connect.user.whatsapp_sender_id" must be a sender that is online and synced.',
    ],
    [
      'phone-user-of-login-twice',
      'connect.user/create',
      () => ({ vals_list: { user: phone.loginId, client_enabled: false, sip_enabled: false } }),
      409,
      'This login already has a phone user.',
    ],
    [
      'username-stays',
      'connect.user/write',
      () => ({ ids: [phone.id], vals: { username: 'berta' } }),
      422,
      '"connect.user.username" cannot be changed once it is set.',
    ],
    [
      'login-stays',
      'connect.user/write',
      () => ({ ids: [phone.id], vals: { user: admin.userId } }),
      422,
      '"connect.user.user" cannot be changed once it is set.',
    ],
    [
      'domain-stays',
      'connect.user/write',
      async () => ({ ids: [await aPhoneWithCredential()], vals: { domain: null } }),
      422,
      '"connect.user.domain" cannot be changed while the user has a SIP credential.',
    ],
    [
      'step-twice',
      'connect.telco.user_callflow/create',
      () => ({
        vals_list: [
          { user: silent, callflow_type: 'sip' },
          { user: silent, callflow_type: 'sip' },
        ],
      }),
      409,
      'The user already has a step of this type.',
    ],
    [
      'must-digits-phone-number-simple-pattern',
      'connect.telco.exten/create',
      { vals_list: { number: 'abc' } },
      422,
      '"connect.telco.exten.number" must be digits such as 101, a phone number such as +15550100001, or a simple pattern such as 2\\d\\d.',
    ],
    [
      'extension-for-emergencies',
      'connect.telco.exten/create',
      { vals_list: { number: '112' } },
      422,
      '"connect.telco.exten.number" cannot be 112, which is an emergency number.',
    ],
    [
      'own-number-not-whole',
      'connect.telco.number/create',
      { vals_list: { phone_number: '044 12' } },
      422,
      '04412 is not a whole phone number. Write it with its country code, such as +41315550100.',
    ],
    [
      'extension-already-exists',
      'connect.telco.exten/create',
      { vals_list: { number: '101' } },
      409,
      'The extension 101 already exists and leads to Phone user "anna".',
    ],
    [
      'extension-without-target',
      'connect.telco.exten/create',
      async () => ({ vals_list: { number: await lonely() } }),
      409,
      'The extension 199 already exists and leads nowhere. Choose where it leads.',
    ],
    [
      'no-record-for-extension-lead',
      'connect.telco.exten/create',
      { vals_list: { number: '156', dst: 'connect.user,2000000000' } },
      422,
      'There is no record 2000000000 in connect.user for the extension to lead to.',
    ],
    [
      'connect-telco-exten-dst-must-written',
      'connect.telco.exten/create',
      { vals_list: { number: '157', dst: 'anna' } },
      422,
      '"connect.telco.exten.dst" must be written "model,id", such as "connect.user,7".',
    ],
    [
      'connect-telco-exten-res-id-must',
      'connect.telco.exten/create',
      { vals_list: { number: '158', model: 'connect.user', res_id: -1 } },
      422,
      '"connect.telco.exten.res_id" must be the id of a record of connect.user.',
    ],
    [
      'extension-can-lead-only',
      'connect.telco.exten/create',
      { vals_list: { number: '158', dst: 'res.partner,1' } },
      422,
      'An extension can lead to connect.user, connect.telco.callflow, connect.telco.markup, connect.voiceai_agent only.',
    ],
    [
      'extension-choice-call-flow-remove-first',
      'connect.telco.exten/unlink',
      async () => ({ ids: [await chosen()] }),
      409,
      'The extension 170 is a choice of the call flow "Reception". Remove it there first.',
    ],
    [
      'mobile-is-own-number',
      'connect.user/write',
      async () => ({ ids: [phone.id], vals: { mobile_number: await aNumberOfOurs(app) } }),
      422,
      '+15550100001 is one of your own numbers. A call to it would come back here.',
    ],
  ]
  it.each(CASES)('%s: %s', (...refused) => expectRefusedCall(admin, refused))
})

describe('of call flows, applications, SIP domains, numbers and caller ids', () => {
  const choices =
    (...given: object[]) =>
    async () => ({
      vals_list: {
        name: 'Menu',
        choices: await Promise.all(
          given.map(async (each, at) => [0, 0, { exten: await anExtension(`20${at}`), ...each }]),
        ),
      },
    })
  const CASES: readonly RefusedCall[] = [
    [
      'choice-digits-twice',
      'connect.telco.callflow/create',
      choices({ choice_digits: '1' }, { choice_digits: '1' }),
      422,
      '"connect.telco.callflow_choice.choice_digits": "1" is a choice of the call flow "Menu" already.',
    ],
    [
      'choice-words-twice',
      'connect.telco.callflow/create',
      choices({ choice_digits: '1', speech: 'sales' }, { choice_digits: '2', speech: 'Sales' }),
      422,
      '"connect.telco.callflow_choice.speech": "Sales" is said for the choice 1 of the call flow "Menu" already.',
    ],
    [
      'connect-telco-callflow-gather-hints',
      'connect.telco.callflow/create',
      { vals_list: { name: 'x', gather_hints: Array.from({ length: 501 }, (_none, at) => `w${at}`).join(',') } },
      422,
      '"connect.telco.callflow.gather_hints" may hold at most 500 hints, not 501.',
    ],
    [
      'gather-hint-too-long',
      'connect.telco.callflow/create',
      { vals_list: { name: 'x', gather_hints: 'x'.repeat(101) } },
      422,
      '"connect.telco.callflow.gather_hints" may hold hints of at most 100 characters: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" is longer.',
    ],
    [
      'not-a-choice',
      'connect.telco.markup/create',
      { vals_list: { name: 'x', code_type: 'script' } },
      422,
      '"connect.telco.markup.code_type" must be one of: markup, model_method.',
    ],
    [
      'connect-telco-markup-markup-cannot-used',
      'connect.telco.markup/create',
      { vals_list: { name: 'x', markup: '<Response>' } },
      422,
      '"connect.telco.markup.markup" cannot be used: Line 1, column 10: unclosed tag: Response.',
    ],
    [
      'connect-telco-markup-method-can-only',
      'connect.telco.markup/create',
      { vals_list: { name: 'x', code_type: 'model_method' } },
      422,
      '"connect.telco.markup.method" can only be "route_call" of "connect.telco.domain".',
    ],
    [
      'name-record-ids-template-markup',
      'connect.telco.markup/preview',
      {},
      422,
      'Name a record in "ids", or a template in "markup".',
    ],
    [
      'sip-domain-uses-this-application-give',
      'connect.telco.markup/unlink',
      async () => ({ ids: [await applicationOfDomain()] }),
      409,
      'The SIP domain "Acme" uses this application. Give it another one first.',
    ],
    [
      'sip-domain-protected-switch-delete-protection',
      'connect.telco.domain/unlink',
      async () => ({
        ids: [
          await make('connect.telco.domain', {
            subdomain: 'kept',
            friendly_name: 'Kept',
            application: await applicationOfDomain(),
            delete_protection: true,
          }),
        ],
      }),
      422,
      'The SIP domain "Kept" is protected: switch "delete_protection" off before you delete it.',
    ],
    [
      'connect-telco-message-configuration-default-values',
      'connect.telco.message_configuration/create',
      async () => ({ vals_list: { number: await numberId(), default_values: '[]' } }),
      422,
      '"connect.telco.message_configuration.default_values" must be a JSON object such as {"comment": "From SMS"}.',
    ],
    [
      'message-configuration-twice',
      'connect.telco.message_configuration/create',
      async () => ({ vals_list: [{ number: await numberId() }, { number: await numberId() }] }),
      409,
      'This number already has a message rule.',
    ],
    [
      'external-caller-id-must-validated-before',
      'connect.telco.outgoing_callerid/create',
      { vals_list: { number: '+15550100007', friendly_name: 'x', is_default: true } },
      422,
      'An external caller ID must be validated before it can be the default.',
    ],
    [
      'number-yours-needs-no-validation',
      'connect.telco.outgoing_callerid/validate',
      async () => ({ ids: [await aCallerId({ callerid_type: 'number' })] }),
      422,
      '+15550200001 is one of your numbers and needs no validation.',
    ],
    [
      'has-been-validated-already',
      'connect.telco.outgoing_callerid/validate',
      async () => ({ ids: [await aCallerId({ sid: aSid('PN') })] }),
      422,
      '+15550200002 has been validated already.',
    ],
    [
      'validate-one-caller-id-at-time',
      'connect.telco.outgoing_callerid/validate',
      { ids: [] },
      422,
      'Validate one caller ID at a time.',
    ],
    [
      'number-yours-remove-at-provider-then',
      'connect.telco.outgoing_callerid/unlink',
      async () => ({ ids: [await aCallerId({ callerid_type: 'number' })] }),
      422,
      '+15550200003 is one of your numbers. Remove it at Twilio, then sync.',
    ],
    [
      'area-not-readable',
      'connect.telco.number/search_available',
      { country: 'CH', kind: 'local', area: '?!' },
      422,
      'Write a town, an area code or how the number begins, not "?!".',
    ],
    [
      'submit-one-template-at-time',
      'connect.message_content_template/submit',
      { ids: [] },
      422,
      'Submit one template at a time.',
    ],
    [
      'template-already',
      'connect.message_content_template/submit',
      async () => ({ ids: [await aTemplate(app, 'approved')] }),
      409,
      'The template "of approved" is approved already.',
    ],
    [
      'ask-for-status-templates-at-time',
      'connect.message_content_template/fetch_status',
      { ids: [] },
      422,
      'Ask for the status of 1 to 50 templates at a time.',
    ],
  ]
  it.each(CASES)('%s: %s', (...refused) => expectRefusedCall(admin, refused))
})

async function external(): Promise<number> {
  const { userId } = await app.person([])
  await admin.ask('res.users', 'write', { ids: [userId], vals: { share: true } })
  return userId
}

async function aPhoneWithCredential(): Promise<number> {
  const { userId } = await app.person([])
  const id = await make('connect.user', {
    user: userId,
    username: 'clara',
    domain,
    client_enabled: false,
    sip_enabled: false,
  })
  await app.db.query(sql`update connect_user set sid = 'CR1' where id = ${id}::bigint`)
  return id
}

async function lonely(): Promise<string> {
  await make('connect.telco.exten', { number: '199' })
  return '199'
}

async function anExtension(number: string): Promise<number> {
  const [known] = await admin.ask<number[]>('connect.telco.exten', 'search', { domain: [['number', '=', number]] })
  return known ?? make('connect.telco.exten', { number })
}

async function chosen(): Promise<number> {
  const exten = await anExtension('170')
  await make('connect.telco.callflow', { name: 'Reception', choices: [[0, 0, { choice_digits: '1', exten }]] })
  return exten
}

async function numberId(): Promise<number> {
  await aNumberOfOurs(app)
  return firstOf(app, 'connect_telco_number')
}

async function applicationOfDomain(): Promise<number> {
  const [row] = await app.db.query<{ application: number }>(
    sql`select application from connect_telco_domain where id = ${domain}::bigint`,
  )
  return row?.application ?? 0
}

let callerIds = 0
function aCallerId(values: object): Promise<number> {
  callerIds += 1
  return insertRow(app.db, 'connect_telco_outgoing_callerid', {
    number: `+1555020000${callerIds}`,
    friendly_name: 'x',
    callerid_type: 'outgoing_callerid',
    ...values,
  })
}
