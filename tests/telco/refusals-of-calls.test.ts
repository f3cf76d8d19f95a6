// Refusals of calls, their rehearsal, messages and media: each by its code, its status and its sentence.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GROUP } from '../../src/platform/access/identity.ts'
import { aCall, aLeg, aSid } from '../fixtures/records.ts'
import { aNumberOfOurs, aSender, aTemplate, firstOf } from '../fixtures/telco-rows.ts'
import { type FakeAnswer, FakeTelco, refusal } from '../support/fake-telco.ts'
import { expectRefused, expectRefusedCall, type RefusedCall } from '../support/refusals.ts'
import { insertRow } from '../support/rows.ts'
import { ACCOUNT_SID, aPbxUser, sendTelco, setUpTelco } from '../support/telco.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

/** More than the service asks the provider again. */
const TRIES = 9

let twilio: FakeTelco
let app: TestApp
let admin: Caller
/** Works with Connect, and has a phone that cannot ring. */
let user: Caller
let silent: number
let phone: Awaited<ReturnType<typeof aPbxUser>>
let domain: number

const TODAY = new Date().toISOString().slice(0, 10)

beforeAll(async () => {
  twilio = await FakeTelco.start()
  app = await TestApp.start({ env: { TELCO_BASE_URL: twilio.url } })
  admin = app.admin
  await expectRefusedCall(admin, [
    'account-not-set',
    'connect.message/send',
    { to: '+15550100002', body: 'x' },
    422,
    '"account_sid" and "auth_token" are not set: enter both in the settings first.',
  ])
  await setUpTelco(app)
  phone = await aPbxUser(app, { username: 'anna', extension: '101' })
  domain = await firstOf(app, 'connect_telco_domain')
  user = await app.person([GROUP.connectUser])
  silent = await make('connect.user', {
    user: user.userId,
    username: 'silent',
    domain,
    sip_enabled: false,
    client_enabled: false,
  })
})
afterAll(async () => {
  await app.stop()
  await twilio.stop()
})

const make = (model: string, values: object) => admin.ask<number>(model, 'create', { vals_list: values })

describe('of calls and their rehearsal', () => {
  const CASES: readonly (readonly [who: 'admin' | 'user' | 'webhook', ...RefusedCall])[] = [
    [
      'admin',
      'one-call-made-by-one-phone',
      'connect.user/originate',
      () => ({ ids: [phone.id, silent], number: '101' }),
      422,
      'A call is made by one phone user.',
    ],
    [
      'admin',
      'you-have-no-phone-user-with',
      'connect.user/originate',
      { number: '101' },
      422,
      'To call from here, you need a phone user with a username and a SIP domain. An administrator can set it up.',
    ],
    [
      'webhook',
      'you-may-call-from-your-own',
      'connect.user/originate',
      () => ({ ids: [phone.id], number: '101' }),
      403,
      'You can call only from your own phone.',
    ],
    [
      'user',
      'number-must-extension-phone-number',
      'connect.user/originate',
      { number: 'anna' },
      422,
      'The "number" must be an extension such as 101 or a phone number such as +15550100001.',
    ],
    [
      'user',
      'number-withheld-call',
      'connect.user/originate',
      { number: '+7378742833' },
      422,
      'This caller withheld their number, so you cannot call them.',
    ],
    [
      'admin',
      'you-must-select-default-number-for',
      'connect.user/originate',
      () => ({ ids: [phone.id], number: '+15550100002' }),
      422,
      'You must select a default number for caller ID!',
    ],
    [
      'admin',
      'no-whatsapp-sender-online',
      'connect.user/originate',
      () => onceDone(defaultCallerId(), { ids: [phone.id], number: '+15550100002', whatsapp: true }),
      422,
      'There is no WhatsApp sender that is online.',
    ],
    [
      'admin',
      'phone-provider-silent',
      'connect.user/originate',
      () => failing({ isCut: true }),
      503,
      'Twilio did not answer in time. It may have been done all the same: please look before you try again.',
    ],
    [
      'admin',
      'phone-provider-unreachable',
      'connect.user/originate',
      () => failing({ status: 429 }),
      503,
      'Twilio cannot be reached right now. Please try again in a moment.',
    ],
    [
      'admin',
      'phone-credentials-refused',
      'connect.user/originate',
      () => failing(refusal(401, 20003, 'Authenticate')),
      503,
      "Twilio does not accept the account's credentials. An administrator must enter them again.",
    ],
    ...(['hang_up', 'forward', 'start_recording'] as const).map((method): readonly [who: 'user', ...RefusedCall] => [
      'user',
      'phone-credentials-refused',
      `connect.call/${method}`,
      () => onceRefused(method === 'forward' ? { number: '+15550100004' } : {}),
      503,
      "Twilio does not accept the account's credentials. An administrator must enter them again.",
    ]),
    [
      'user',
      'you-have-no-telephone-could-ring',
      'connect.user/originate',
      { number: '+15550100002' },
      422,
      'To call from here, you need a web phone or a SIP phone. An administrator can add one.',
    ],
    [
      'admin',
      'own-calls-of-day-reached',
      'connect.user/originate',
      () => used({ calls_a_day_of_user: 1 }, 'connect.user/originate', { ids: [phone.id], number: '+15550100002' }),
      429,
      'You have reached your daily limit of calls. A user manager can raise it in the settings.',
    ],
    [
      'admin',
      'api-argument-ids-must-name-exactly-one',
      'connect.call/hang_up',
      { ids: [] },
      422,
      'The argument "ids" must name exactly one call.',
    ],
    [
      'user',
      'nobody-else-on-line',
      'connect.call/forward',
      async () => ({ ids: [await lonelyCall()], number: '101' }),
      409,
      'No one else is on the line.',
    ],
    ['admin', 'api-one-call-told', 'connect.call/timeline', { ids: [] }, 422, 'One call is told: "ids" has one id.'],
    [
      'admin',
      'caller-not-a-number',
      'connect.telco.number/rehearse',
      async () => ({ to: await aNumberOfOurs(app), from: 'anna' }),
      422,
      'Nobody can call from "anna": write a phone number, with its country where it is not of ours.',
    ],
    [
      'admin',
      'api-number-to-rehearse',
      'connect.telco.number/rehearse',
      {},
      422,
      'Say which number is called: as "to", or as one record.',
    ],
    [
      'admin',
      'no-number-ours',
      'connect.telco.number/rehearse',
      { to: '+15550100099' },
      404,
      '+15550100099 is no number of ours. Our numbers are: +15550100001.',
    ],
    [
      'admin',
      'no-time-should-written-t-z',
      'connect.telco.number/rehearse',
      async () => ({ to: await aNumberOfOurs(app), at: 'soon' }),
      422,
      '"soon" is no time; it should be written 2026-11-22 10:00, 2026-11-22T10:00:00Z or sunday 10:00.',
    ],
    [
      'admin',
      'no-logged-telephony-delivery',
      'connect.settings/explain_signature',
      { delivery_id: 2_000_000_000 },
      404,
      'There is no stored webhook 2000000000 from Twilio.',
    ],
  ]
  it.each(CASES)('%s meets %s: %s', async (who, ...refused) =>
    expectRefusedCall({ admin, user, webhook: await app.webhookUser() }[who], refused),
  )
})

describe('of messages', () => {
  const CASES: readonly RefusedCall[] = [
    [
      'number-withheld-write',
      'connect.message/send',
      { to: '+7378742833', body: 'x' },
      422,
      'This sender withheld their number, so you cannot write to them.',
    ],
    [
      'api-argument-must-phone-number',
      'connect.message/send',
      { to: 'a b', body: 'x' },
      422,
      'The argument "to" must be a phone number such as +15550100001.',
    ],
    [
      'sender-name-cannot-be-answered',
      'connect.message/send',
      { to: 'ACME', body: 'x' },
      422,
      '"ACME" is the name of a sender and no number, so it cannot be answered: "to" must be a phone number such as +15550100001.',
    ],
    [
      'api-argument-body-empty',
      'connect.message/send',
      { to: '+15550100002', body: ' ' },
      422,
      'The argument "body" is empty.',
    ],
    [
      'templates-for-whatsapp-messages',
      'connect.message/send',
      async () => ({ to: '+15550100002', template_id: await aTemplate(app, 'approved') }),
      422,
      'Only WhatsApp messages can use a template.',
    ],
    [
      'no-number-ours-send-from-one',
      'connect.message/send',
      { to: '+15550100002', body: 'x', from: '+15550100098' },
      422,
      'There is no number of ours to send from, or the one named is not ours.',
    ],
    [
      'no-whatsapp-sender-online-not-one',
      'connect.message/send',
      { to: '+15550100002', body: 'x', message_type: 'WhatsApp' },
      422,
      'There is no WhatsApp sender that is online, or it is not one of ours.',
    ],
    [
      'template-not-approved-so-cannot-sent',
      'connect.message/send',
      async () => {
        await aSender(app, 'ONLINE')
        return { to: '+15550100002', message_type: 'WhatsApp', template_id: await aTemplate(app, 'rejected') }
      },
      422,
      'The template "of rejected" is not approved, so it cannot be sent.',
    ],
    [
      'has-not-written-on-whatsapp-within',
      'connect.message/send',
      { to: '+15550100002', message_type: 'WhatsApp', body: 'x' },
      422,
      '+15550100002 has not written on WhatsApp within the last 24 hours: an approved template is required.',
    ],
    [
      'messages-cannot-kept-with-records',
      'connect.message/send',
      { to: '+15550100002', body: 'x', res_model: 'res.lang', res_id: 1 },
      422,
      'Messages cannot be kept with records of res.lang.',
    ],
    [
      'opted-out',
      'connect.message/send',
      () => onceDone(stop('+15550100003'), { to: '+15550100003', body: 'x' }),
      422,
      `+15550100003 has opted out of texts from +15550100001 (STOP) on ${TODAY}. You can write again once they send START.`,
    ],
    [
      'own-messages-of-day-reached',
      'connect.message/send',
      () => used({ messages_a_day_of_user: 1 }, 'connect.message/send', { to: '+15550100002', body: 'x' }),
      429,
      'You have reached your daily limit of messages. A user manager can raise it in the settings.',
    ],
    [
      'messages-of-day-reached',
      'connect.message/send',
      () => used({ messages_a_day: 1 }, 'connect.message/send', { to: '+15550100002', body: 'x' }),
      429,
      'The daily limit of messages is reached. A user manager can raise it in the settings.',
    ],
    [
      'calls-of-day-reached',
      'connect.user/originate',
      () => used({ calls_a_day: 1 }, 'connect.user/originate', { ids: [phone.id], number: '+15550100002' }),
      429,
      'The daily limit of calls is reached. A user manager can raise it in the settings.',
    ],
    [
      'api-argument-ids-names-no-message',
      'connect.message/retry',
      { ids: [] },
      422,
      'The argument "ids" names no message.',
    ],
    [
      'only-message-could-not-delivered-can',
      'connect.message/retry',
      async () => ({ ids: [await aMessage({ status: 'sent' })] }),
      409,
      'Only a message that could not be delivered can be sent again.',
    ],
    [
      'api-thread-named-by-both-res-model',
      'connect.message/write',
      async () => ({
        ids: [await aMessage({ status: 'received', direction: 'incoming' })],
        vals: { res_model: 'res.partner' },
      }),
      422,
      'A thread is named by both "res_model" and "res_id" of connect.message.',
    ],
    [
      'api-record-has-positive-number',
      'connect.message/write',
      async () => ({
        ids: [await aMessage({ status: 'received', direction: 'incoming' })],
        vals: { res_model: 'res.partner', res_id: -1 },
      }),
      422,
      'A record has a positive number.',
    ],
    [
      'api-argument-user-must-name-somebody-who',
      'connect.conversation/assign',
      async () => ({ ids: [await firstOf(app, 'connect_conversation')], user: (await app.person([])).userId }),
      422,
      'The argument "user" must name somebody who works with Connect.',
    ],
  ]
  it.each(CASES)('%s: %s', (...refused) => expectRefusedCall(admin, refused))
})

describe('of media', () => {
  it.each([
    [
      'no-audio-not-yours-hear',
      '/connect/recording/2000000000',
      'This audio does not exist, or is not shared with you.',
    ],
    ['media-not-there', '/connect/message/2000000000/media/0', 'These media do not exist, or are not shared with you.'],
    [
      'preview-not-there',
      '/connect/voice/2000000000/preview',
      'This preview does not exist, or is not shared with you.',
    ],
    ['file-not-there', '/connect/attachment/2000000000', 'This file does not exist, or is not shared with you.'],
  ] as const)('%s', async (code, address, sentence) => {
    const answer = await app.request(address, { headers: { authorization: `bearer ${user.key}` } })
    expectRefused(answer, [code, 404, sentence])
  })
})

describe('without a public address', () => {
  const CASES: readonly (readonly [who: 'admin' | 'user', ...RefusedCall])[] = [
    [
      'admin',
      'no-api-url-not-set-without-phone',
      'connect.user/originate',
      () => onceDone(withoutAddress(), { ids: [phone.id], number: '+15550100002' }),
      422,
      'The public address is not set, so Twilio cannot report what happens.',
    ],
    [
      'user',
      'no-api-url-not-set-without-calls',
      'connect.call/forward',
      async () => ({ ids: [await aTalk()], number: '+15550100004' }),
      422,
      'The public address is not set, so calls cannot be forwarded.',
    ],
  ]
  it.each(CASES)('%s meets %s: %s', (who, ...refused) => expectRefusedCall({ admin, user }[who], refused))
})

async function defaultCallerId(): Promise<void> {
  await insertRow(app.db, 'connect_telco_outgoing_callerid', {
    number: '+15550100001',
    friendly_name: 'Main',
    callerid_type: 'number',
    status: 'validated',
    is_default: true,
  })
}

function aMessage(values: object): Promise<number> {
  return insertRow(app.db, 'connect_message', {
    message_type: 'sms',
    body: 'x',
    from_number: '+15550100001',
    to_number: '+15550100002',
    direction: 'outgoing',
    sender_user: admin.userId,
    ...values,
  })
}

/** A live call of which only the leg of our own phone is left. */
async function lonelyCall(): Promise<number> {
  const call = await aCall(app, { caller_user: user.userId, direction: 'outgoing' })
  await aLeg(app, { sid: aSid(), call, caller_user: user.userId, caller_pbx_user: silent })
  return call
}

async function limit(vals: object): Promise<void> {
  const endless = { calls_a_day: 0, calls_a_day_of_user: 0, messages_a_day: 0, messages_a_day_of_user: 0 }
  await admin.ask('connect.settings', 'write', { ids: [1], vals: { ...endless, ...vals } })
}

/** Has a limit be used up, by the same call that is then refused. */
async function used(vals: object, call: string, args: object): Promise<object> {
  twilio.reset()
  await limit(vals)
  const [model = '', method = ''] = call.split('/')
  await admin.call(model, method, args)
  return args
}

async function stop(number: string): Promise<void> {
  const fields = {
    MessageSid: aSid('SM'),
    AccountSid: ACCOUNT_SID,
    From: number,
    To: await aNumberOfOurs(app),
    Body: 'STOP',
    OptOutType: 'STOP',
  }
  expect((await sendTelco(app, '/telco/webhook/message', fields)).status).toBe(200)
}

async function withoutAddress(): Promise<void> {
  await limit({ api_url: null })
}

/** A call that the provider does not take. */
function failing(answer: FakeAnswer): object {
  twilio.reset()
  twilio.on('POST', /Calls/, answer, TRIES)
  return { ids: [phone.id], number: '+15550100002' }
}

/** A live call, while the provider does not accept our token. */
async function onceRefused(args: object): Promise<object> {
  const call = await aTalk()
  twilio.reset()
  for (const method of ['GET', 'POST'] as const) twilio.on(method, /Calls/, refusal(401, 20003, 'Authenticate'), TRIES)
  return { ids: [call], ...args }
}

async function onceDone(done: Promise<unknown>, args: object): Promise<object> {
  await done
  return args
}

/** A live call with a customer on the line. */
async function aTalk(): Promise<number> {
  const call = await aCall(app, { caller_user: user.userId, direction: 'outgoing' })
  await aLeg(app, { sid: aSid(), call, caller_user: user.userId, caller_pbx_user: silent })
  await aLeg(app, { sid: aSid(), call, technical_direction: 'outbound-dial', called: '+15550100002' })
  return call
}
