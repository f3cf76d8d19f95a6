import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deliver, sign, useSecret } from '../fixtures/post-call.ts'
import { aCall, aPartner, aSid } from '../fixtures/records.ts'
import { ALL_ROUTES, INITIATION, POST_CALL, TOKEN_ROUTES } from '../fixtures/routes.ts'
import { countRows } from '../fixtures/row-counts.ts'
import { FakeTelcoClient } from '../fixtures/telco-client.ts'
import { FUZZ_SEED } from '../support/fuzz-seed.ts'
import { TestApp } from '../support/test-app.ts'

const REQUESTS_PER_ROUTE = 32
const DEPTH = 5_000

const NAMES = [
  'call_id',
  'partner_id',
  'ticket_id',
  'event_id',
  'user_id',
  'subject',
  'description',
  'team_name',
  'note',
  'priority',
  'stage_name',
  'only_open',
  'start',
  'stop',
  'timezone',
  'name',
  'channel_sid',
  'exten',
  'email',
  'phone',
  'caller_id',
  'called_number',
  'agent_id',
  'call_sid',
  'conversation_id',
  'sip_headers',
  'data',
  'type',
  '__proto__',
  'constructor',
  'toString',
  '',
] as const

let app: TestApp
let known: unknown[]
/** Arguments with which each route would do something. */
let plausible: Record<string, Record<string, unknown>>

beforeAll(async () => {
  app = await TestApp.start({ telcoClient: new FakeTelcoClient() })
  await useSecret(app)
  const partner = await aPartner(app, { name: 'Zoe' })
  const sid = aSid()
  const [call, stranger] = [await aCall(app, { sid, partner }), await aCall(app)]
  const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Broken' } })
  const application = await app.admin.ask<number>('connect.telco.markup', 'create', { vals_list: { name: 'Sales' } })
  await app.admin.ask('connect.telco.exten', 'create', {
    vals_list: { number: '101', model: 'connect.telco.markup', res_id: application, is_published: true },
  })
  const { userId } = await app.person(['base.group_user'], { tz: 'Europe/Zurich' })
  const [start, stop] = ['2027-03-01 10:00:00', '2027-03-01 11:00:00']
  // Values that lead on, so that chance gets past the first check.
  known = [partner, call, ticket, userId, String(call), sid, start, stop, '2027-03-01', 'Closed', '3', true]
  plausible = {
    [INITIATION]: {
      caller_id: '+41313808316',
      called_number: '+41310000000',
      agent_id: 'a',
      call_sid: sid,
      sip_headers: { 'X-Connect-Call-Ref': call },
    },
    '/connect_voiceai/transfer': { channel_sid: sid, exten: '101' },
    '/connect_voiceai/create_partner': { call_id: stranger, name: 'Zoe' },
    '/connect_voiceai/get_available_slots': { user_id: userId, start: '2027-03-01', timezone: 'Europe/Zurich' },
    '/connect_voiceai/create_event': {
      user_id: userId,
      start,
      stop,
      name: 'x',
      timezone: 2,
      call_id: call,
      partner_id: partner,
    },
    '/connect_voiceai/get_meetings': { partner_id: partner, call_id: call },
    '/connect_voiceai/remove_meeting': { event_id: 1, call_id: call },
    '/connect_voiceai_helpdesk/create_ticket': {
      subject: 'x',
      description: 'y',
      team_name: 'care',
      partner_id: partner,
      call_id: call,
    },
    '/connect_voiceai_helpdesk/search_tickets': { partner_id: partner, only_open: true },
    '/connect_voiceai_helpdesk/fetch_ticket': { ticket_id: ticket },
    '/connect_voiceai_helpdesk/update_ticket': {
      ticket_id: ticket,
      subject: 'x',
      description: 'y',
      priority: '1',
      stage_name: 'Closed',
    },
    '/connect_voiceai_helpdesk/ticket_activity': { ticket_id: ticket, note: 'x' },
  }
})
afterAll(() => app.stop())

/** Numbers from 0 up to, not including, 1: the same ones for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

class Fuzzer {
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = randomOf(seed)
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item
  }

  integer(max: number): number {
    return Math.floor(this.#random() * max)
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.integer(256)))
  }

  text(): string {
    const odd = [
      '',
      ' ',
      '\0',
      '\ud800',
      '\u202e',
      '💥',
      "'; drop table res_partner; --",
      '%',
      '_',
      '\\',
      '{{7*7}}',
      '<script>',
      'None',
      'NaN',
      '1e999',
      '-0',
      '../..',
      '\r\n',
      '00',
      '+',
    ]
    return Array.from({ length: this.integer(6) }, () => this.pick(odd)).join('')
  }

  value(depth = 0): unknown {
    const kinds: (() => unknown)[] = [
      () => this.pick(known),
      () => this.pick(known),
      () => this.text(),
      () => this.integer(3) - 1,
      () => this.pick([0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, Number.MAX_SAFE_INTEGER, true, false, null]),
      () => 'x'.repeat(this.integer(3_000)),
      () => this.bytes(this.integer(20)).toString('latin1'),
      () => (depth > 3 ? null : Array.from({ length: this.integer(4) }, () => this.value(depth + 1))),
      () => (depth > 3 ? null : this.object(depth + 1)),
    ]
    return this.pick(kinds)()
  }

  object(depth = 0): Record<string, unknown> {
    const entries = Array.from(
      { length: this.integer(NAMES.length) },
      () => [this.pick(NAMES), this.value(depth)] as const,
    )
    return Object.fromEntries(entries)
  }

  /** The arguments of a route, some of them spoilt, some left out, some added. */
  spoilt(route: string): string {
    const kept = Object.entries(plausible[route] ?? {}).flatMap(([name, value]) => {
      const chance = this.integer(10)
      if (chance === 0) return []
      return [[name, chance < 4 ? this.value() : value] as const]
    })
    const added = this.integer(3) === 0 ? [[this.pick(NAMES), this.value()] as const] : []
    return JSON.stringify(Object.fromEntries([...kept, ...added]))
  }

  /** A body that is an object more often than not, else text that only looks like one, or bytes. */
  body(): string | Buffer {
    const whole = (): string => JSON.stringify(this.object())
    const kinds: (() => string | Buffer)[] = [
      whole,
      whole,
      whole,
      whole,
      whole,
      () => JSON.stringify(this.value()),
      () => this.bytes(this.integer(400)),
      () => whole().slice(0, this.integer(80)),
      () => `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`,
      () => `${'{"data":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`,
      () => `{"call_id":${'9'.repeat(400)},"ticket_id":-0,"name":"\\ud800\\u0000"}`,
      () => `{"call_id":1,"call_id":2,"call_id":${JSON.stringify(this.value())}}`,
    ]
    return this.pick(kinds)()
  }
}

describe(`random bodies (seed ${FUZZ_SEED})`, () => {
  it.each(TOKEN_ROUTES)('%s answers none with an error of its own, and a refusal writes nothing', async (route) => {
    const fuzzer = new Fuzzer(FUZZ_SEED)
    let before = await countRows(app)
    for (let at = 0; at < REQUESTS_PER_ROUTE; at += 1) {
      const body = at % 3 === 0 ? fuzzer.body() : fuzzer.spoilt(route)
      const answer = await app.tool(route, body)
      const shown = `${route} ${answer.status} ${answer.text.slice(0, 300)} for ${body.toString().slice(0, 500)}`
      expect(answer.status, shown).toBeLessThan(500)
      expect(typeof answer.body, shown).toBe('object')
      if (route === INITIATION) expect(answer.status, shown).toBe(200)
      const after = await countRows(app)
      if (answer.status >= 400) expect(after, shown).toEqual(before)
      before = after
    }
  })

  it.each(TOKEN_ROUTES)('%s believes none of them without the token', async (route) => {
    const fuzzer = new Fuzzer(FUZZ_SEED + 1)
    const before = await countRows(app)
    for (let at = 0; at < REQUESTS_PER_ROUTE / 4; at += 1) {
      const token = fuzzer.pick(['', 'x', `${app.token}0`, fuzzer.bytes(36).toString('hex')])
      expect((await app.post(route, fuzzer.body(), { 'x-voiceai-agent-token': token })).status).toBe(401)
    }
    expect(await countRows(app)).toEqual(before)
  })

  it(`${POST_CALL} acknowledges all that are signed with an empty 200`, async () => {
    const fuzzer = new Fuzzer(FUZZ_SEED + 2)
    for (let at = 0; at < REQUESTS_PER_ROUTE * 2; at += 1) {
      const body = fuzzer.pick([() => fuzzer.body(), () => aDelivery(fuzzer), () => aDelivery(fuzzer)])()
      const answer = await deliver(app, body)
      expect([answer.status, answer.text], body.toString().slice(0, 500)).toEqual([200, ''])
    }
    const failed = await app.admin.ask<object[]>('connect.inbox', 'search_read', {
      domain: [['state', 'in', ['failed', 'dead', 'received']]],
      fields: ['error', 'payload'],
    })
    expect(failed).toEqual([])
  })

  it(`${POST_CALL} believes none whose signature is random`, async () => {
    const fuzzer = new Fuzzer(FUZZ_SEED + 3)
    const before = await countRows(app)
    for (let at = 0; at < REQUESTS_PER_ROUTE; at += 1) {
      const body = fuzzer.body()
      const right = sign(body)
      const cut = right.slice(0, fuzzer.integer(right.length))
      const header = fuzzer.pick([
        () => cut,
        () => right.replace(/v0=./, (pair) => (pair === 'v0=0' ? 'v0=1' : 'v0=0')),
        () => right.replace('v0', 'v1'),
        () => `${cut},${fuzzer.text().replaceAll(/[^\x20-\x7e]/g, '?')}`,
        () => sign(body, { secret: 'other' }),
        () => `t=${fuzzer.integer(2 ** 31)},v0=${fuzzer.bytes(32).toString('hex')}`,
      ])()
      expect((await app.post(POST_CALL, body, { 'voiceai-signature': header })).status, header).toBe(401)
    }
    expect(await countRows(app)).toEqual(before)
  })
})

describe('random requests', () => {
  it('random requests with odd paths, methods and content types never end in an error of the service', async () => {
    const fuzzer = new Fuzzer(FUZZ_SEED + 4)
    const types = [
      'application/json',
      'text/plain',
      'x',
      'application/json;;;',
      'multipart/form-data',
      '*/*',
      'application/xml; charset="',
    ]
    for (let at = 0; at < REQUESTS_PER_ROUTE; at += 1) {
      const tail = fuzzer.pick(['', '/', '?', '?a=%', '%00', '%2f..', '/..', ';x', '?%ff', '/%F0%9F', '//'])
      const method = fuzzer.pick(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      const answer = await app.request(fuzzer.pick(ALL_ROUTES) + tail, {
        method,
        headers: { 'content-type': fuzzer.pick(types), 'x-voiceai-agent-token': app.token },
        body: fuzzer.body(),
      })
      expect(answer.status, `${method} ${tail}`).toBeLessThan(500)
    }
  })
})

/** A delivery of a known type whose parts are anything. */
function aDelivery(fuzzer: Fuzzer): string {
  const type = fuzzer.pick([
    'post_call_transcription',
    'post_call_audio',
    'call_initiation_failure',
    'transcript',
    null,
  ])
  const parts = {
    conversation_id: fuzzer.pick([() => `conv_${fuzzer.integer(20)}`, () => fuzzer.value()])(),
    agent_id: fuzzer.value(),
    full_audio: fuzzer.pick([() => fuzzer.bytes(30).toString('base64'), () => fuzzer.value()])(),
    transcript: fuzzer.pick([
      () => [{ role: fuzzer.value(), message: fuzzer.value() }, fuzzer.value()],
      () => fuzzer.value(),
    ])(),
    metadata: fuzzer.pick([
      () => ({
        call_duration_secs: fuzzer.value(),
        phone_call: { call_sid: fuzzer.value(), external_number: fuzzer.value(), direction: fuzzer.value() },
        body: fuzzer.value(),
      }),
      () => fuzzer.value(),
    ])(),
    analysis: fuzzer.pick([
      () => ({ transcript_summary: fuzzer.value(), call_successful: fuzzer.value() }),
      () => fuzzer.value(),
    ])(),
    conversation_initiation_client_data: {
      dynamic_variables: fuzzer.pick([
        () => ({ call_id: fuzzer.value(), sip_connect_call_ref: fuzzer.value() }),
        () => fuzzer.value(),
      ])(),
    },
    failure_reason: fuzzer.value(),
  }
  return JSON.stringify({ type, data: parts })
}
