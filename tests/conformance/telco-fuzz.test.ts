// Random forms with a right signature to all twelve routes: never a 5xx, always markup that the provider carries out
// or the text the contract names, never a secret.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkMarkup } from '../../src/telco/markup/check.ts'
import { FUZZ_SEED } from '../support/fuzz-seed.ts'
import { ACCOUNT_SID, AUTH_TOKEN, type Fields, sendTelco } from '../support/telco.ts'
import { CUSTOMER, newSid, Office, OUR_NUMBER, SIP_HOST } from '../support/telco-office.ts'
import { STATUS_TEXTS } from '../support/telco-routes.ts'

const REQUESTS_PER_ROUTE = 32
const AT_ONCE = 4

const NAMES = [
  ...['CallSid', 'ParentCallSid', 'AccountSid', 'From', 'To', 'Caller', 'Called', 'Direction', 'CallStatus'],
  ...['CallDuration', 'Duration', 'SequenceNumber', 'Timestamp', 'CallbackSource', 'ErrorCode', 'ErrorMessage'],
  ...['DialCallStatus', 'DialCallSid', 'DialBridged', 'Digits', 'SpeechResult', 'Confidence', 'forward_to'],
  ...['RecordingSid', 'RecordingUrl', 'RecordingStatus', 'RecordingDuration', 'RecordingStartTime', 'RecordingSource'],
  ...['MessageSid', 'SmsSid', 'SmsStatus', 'MessageStatus', 'Body', 'NumMedia', 'MediaUrl0', 'MediaContentType0'],
  ...['OriginalRepliedMessageSid', 'VerificationStatus', 'OutgoingCallerIdSid', 'CallerName', '__proto__', 'Unknown'],
] as const

const ODD = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1e9',
    '99999999999',
    'null',
    'None',
    'undefined',
    '[]',
    '{}',
    'true',
    '\0',
    '\u202e',
    '\ufffe',
  ],
  ...['<Say>x</Say>', ']]>', '{{ CallSid }}', '{% raw %}', "'; drop table connect_call; --", '../../etc/passwd', '%00'],
  ...['😀'.repeat(300), 'x'.repeat(5_000), 'ﬁ', 'İ', '١٢٣', '+', '+1', '+123456789012345678', 'whatsapp:'],
]
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  AccountSid: [ACCOUNT_SID, ACCOUNT_SID, 'AC2'],
  Direction: ['inbound', 'outbound-api', 'outbound-dial'],
  CallStatus: ['queued', 'initiated', 'ringing', 'in-progress', 'completed', 'busy', 'failed', 'no-answer', 'canceled'],
  DialCallStatus: ['completed', 'answered', 'busy', 'no-answer', 'failed', 'canceled'],
  SmsStatus: ['received', 'received', 'received', 'sent', 'delivered', 'failed', 'undelivered', 'read'],
  MessageStatus: ['sent', 'delivered', 'failed', 'undelivered', 'read', 'accepted', 'canceled'],
  RecordingStatus: ['in-progress', 'completed', 'absent', 'failed'],
  VerificationStatus: ['success', 'failed'],
  Timestamp: ['Wed, 08 Oct 2025 13:54:12 +0000', 'Wed, 08 Oct 2025 13:54:12 GMT', 'now', '0'],
}
const PARTIES = [
  ...[CUSTOMER, OUR_NUMBER, 'anonymous', `sip:101@${SIP_HOST}`, `sip:alice@${SIP_HOST}`, `client:alice@${SIP_HOST}`],
  ...[
    `sip:+14155550123@${SIP_HOST};transport=tls`,
    'whatsapp:+380501234567',
    `whatsapp:${OUR_NUMBER}`,
    '+101',
    '102',
    'sip:@',
  ],
]
const IDS = ['1', '2', '3', '0', '999999', 'abc', '-1', '1%00', '9'.repeat(30)]

/** A small generator with a seed, so that a failure can be repeated. */
class Dice {
  #state: number
  readonly #sids: readonly string[]

  constructor(seed: number, sids: readonly string[]) {
    this.#state = seed
    this.#sids = sids
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  isUnder(share: number): boolean {
    return this.next() < share
  }

  oneOf<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.next() * items.length)] as Item
  }

  form(): Fields {
    const form: Fields = Object.create(null)
    for (const name of NAMES) {
      if (this.isUnder(0.75)) form[name] = this.isUnder(0.02) ? [this.value(name), 'x'] : this.value(name)
    }
    // Any leg may have any parent, but always the same one, and none is its own ancestor: the provider has no others.
    const parent = this.#sids[this.#sids.indexOf(String(form.CallSid)) - 2]
    if (parent === undefined) delete form.ParentCallSid
    else form.ParentCallSid = parent
    return form
  }

  value(name: string): string {
    if (this.isUnder(0.15)) return this.oneOf(ODD)
    if (Object.hasOwn(CHOICES, name)) return this.oneOf(CHOICES[name] ?? [])
    if (name.endsWith('Sid')) return this.oneOf(this.#sids)
    if (['From', 'To', 'Caller', 'Called', 'forward_to', 'CallerName'].includes(name)) return this.oneOf(PARTIES)
    return this.oneOf(['1', '2', '42', 'sales', 'https://x.example.com/RE1', 'image/png'])
  }
}

const ROUTES: readonly [name: string, path: (dice: Dice) => string][] = [
  ['callstatus', () => 'callstatus'],
  ['callaction', () => 'callaction'],
  ['call_action', (dice) => `${dice.oneOf(MODELS)}/call_action/${dice.oneOf(IDS)}${dice.oneOf(QUERIES)}`],
  ['number', () => 'number'],
  ['markup', (dice) => `markup/${dice.oneOf([...IDS, ...applications])}`],
  ['gather', (dice) => `callflow/${dice.oneOf(IDS)}/gather${dice.oneOf(QUERIES)}`],
  ['domain', (dice) => `domain${dice.oneOf(QUERIES)}`],
  ['recordingstatus', () => 'recordingstatus'],
  ['vm_recordingstatus', () => 'vm_recordingstatus'],
  ['message', () => 'message'],
  ['message_status', (dice) => `message_status${dice.oneOf(['', '?ref=1-1', '?ref=x', '?ref=9999999999-1'])}`],
  ['outgoing_callerid', () => 'outgoing_callerid'],
]
const MODELS = ['connect.user', 'connect.telco.callflow', 'connect.callflow', 'connect.voiceai_agent', 'res.users']
const QUERIES = [
  '',
  '',
  '?done_callflows=1,2',
  '?done_callflows=x,,-1',
  '?invalid=2',
  '?invalid=x&fallback=1',
  '?forward_to=102',
  '?%',
]

let office: Office
let applications: string[] = []

beforeAll(async () => {
  office = await Office.start()
  const alice = await office.user('alice', '101', { sip_enabled: true, voicemail_enabled: true, record_calls: true })
  const bob = await office.user('bob', '102', { client_enabled: false })
  const agent = await office.agent({ agent_uid: 'agent_7', fallback_message: 'Nobody' })
  const flow = await office.flow({
    prompt_message: 'Menu',
    gather_input: true,
    gather_input_type: 'dtmf speech',
    ring_users: [alice.id, bob.id],
  })
  const exten = await office.extension('201', 'connect.voiceai_agent', agent)
  await office.create('connect.telco.callflow_choice', { callflow: flow, choice_digits: '1', exten, speech: 'sales' })
  await office.number(OUR_NUMBER, { destination: 'callflow', callflow: flow, fallback_message: 'Sorry' })
  await office.number(CUSTOMER, { destination: 'user', user: alice.id })
  const markup = '<Response><Say>Hi {{ CallerName }} {{ Body | truncate: 20 }}</Say></Response>'
  applications = [String(await office.create('connect.telco.markup', { name: 'Any', markup }))]
})
afterAll(() => office.stop())

describe('random requests', () => {
  it.each(ROUTES)('random requests to %s are all answered as the provider can use it', async (name, path) => {
    const sids = [...Array.from({ length: 6 }, () => newSid()), newSid('RE'), newSid('SM')]
    const dice = new Dice(FUZZ_SEED + name.length, sids)
    const requests = Array.from({ length: REQUESTS_PER_ROUTE }, () => ({ route: path(dice), form: dice.form() }))
    const client = async (): Promise<void> => {
      for (let request = requests.pop(); request !== undefined; request = requests.pop()) await check(name, request)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, client))
  })

  it('leave a ledger that can be read, and no delivery that failed inside', async () => {
    for (const model of ['connect.call', 'connect.channel', 'connect.recording', 'connect.message', 'res.partner']) {
      expect((await office.list(model, [], ['display_name'])).length, model).toBeGreaterThan(0)
    }
    await office.app.app.deliveries.drained()
    expect(await office.list('connect.delivery', [['verdict', '!=', 'handled']], ['reason', 'target', 'body'])).toEqual(
      [],
    )
    expect(await office.list('connect.inbox', [['state', 'not in', ['done', 'ignored']]], ['error'])).toEqual([])
  })
})

async function check(name: string, { route, form }: { route: string; form: Fields }): Promise<void> {
  const answer = await sendTelco(office.app, `/telco/webhook/${route}`, form)
  const about = `${route} ${JSON.stringify(form)} -> ${answer.text}`
  expect(answer.status, about).toBe(200)
  expect(answer.text, about).not.toContain(AUTH_TOKEN)
  const text = STATUS_TEXTS[name]
  if (text !== undefined) expect(answer.text, about).toMatch(text)
  else expect(checkMarkup(answer.text), about).toEqual([])
}
