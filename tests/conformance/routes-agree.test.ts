// The API document, the page of the webhooks and the service say the same of each of the 26 routes
// (docs/reference/contract.md#voice-agent-webhooks).
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import path from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Room } from '../../src/deliveries/webhooks/unverified-bytes.ts'
import { ProviderRefused } from '../../src/ports/telco-client.ts'
import { aTranscript, deliver, sign, useSecret } from '../fixtures/post-call.ts'
import { aCall, aPartner, aSid } from '../fixtures/records.ts'
import { ALL_ROUTES, INITIATION, POST_CALL, TOOLS } from '../fixtures/routes.ts'
import { FakeTelcoClient } from '../fixtures/telco-client.ts'
import { root } from '../support/source-files.ts'
import { ACCOUNT_SID, sendTelco, setUpTelco } from '../support/telco.ts'
import { type Answer, TestApp } from '../support/test-app.ts'

const TOKEN = 'x-voiceai-agent-token'
const CALL = 'x-connect-call'
const MIB = 1024 * 1024
/** More than any route takes. */
const TOO_MANY_BYTES = 300 * MIB
const SHA1_BYTES = 20
const NO_RECORD = 2_000_000_000
/** Values that count as left out. */
const ABSENT = [null, false, '']

/** The routes of telephony as the document has them, with a form that each can work with. */
const FORMS: Readonly<Record<string, Record<string, string>>> = {
  callstatus: { CallSid: aSid(), CallStatus: 'ringing' },
  callaction: { CallSid: aSid(), DialCallStatus: 'completed' },
  '{model}/call_action/{record}': { CallSid: aSid(), DialCallStatus: 'no-answer' },
  number: { CallSid: aSid() },
  'markup/{record}': { CallSid: aSid() },
  'callflow/{record}/gather': { CallSid: aSid(), Digits: '1' },
  domain: { CallSid: aSid() },
  recordingstatus: { RecordingSid: aSid('RE'), CallSid: aSid() },
  vm_recordingstatus: { CallSid: aSid(), RecordingSid: aSid('RE') },
  message: { MessageSid: aSid('SM'), Body: 'Hello' },
  message_status: { MessageSid: aSid('SM'), MessageStatus: 'sent' },
  outgoing_callerid: { VerificationStatus: 'success', Called: '+41310000000' },
}
const PARTIES = { AccountSid: ACCOUNT_SID, From: '+41315550142', To: '+41310000000', Direction: 'inbound' }
const TELCO = Object.keys(FORMS).map((name) => `/telco/webhook/${name}`)
const page = readFileSync(path.join(root, 'docs/webhooks.md'), 'utf8')
const ROUTES = [...ALL_ROUTES, ...TELCO].map((route) => ({ route }))

interface Schema {
  properties?: Record<string, Schema>
  required?: string[]
}
type Content = Record<string, { schema: Schema }>
interface Operation {
  parameters: { name: string; in: string; required: boolean; description?: string }[]
  requestBody: { content: Content }
  responses: Record<string, { content: Content; headers?: Record<string, unknown> }>
}

const client = new FakeTelcoClient()
const now = new Date()
let app: TestApp
let document: Record<string, { post: Operation }>
let world: { contact: number; call: number; sid: string; colleague: number }

beforeAll(async () => {
  app = await TestApp.start({ telcoClient: client, clock: () => now })
  await setUpTelco(app)
  await useSecret(app)
  const { paths } = (await app.request('/api/openapi.json')).body as { paths: typeof document }
  document = paths
  const sid = aSid()
  const contact = await aPartner(app)
  const call = await aCall(app, { sid, partner: contact })
  const { userId: colleague } = await app.person(['base.group_user'])
  const markup = await app.admin.ask<number>('connect.telco.markup', 'create', {
    vals_list: { name: 'Support', markup: '<Response><Say>Support</Say></Response>' },
  })
  await app.admin.ask('connect.telco.exten', 'create', {
    vals_list: { number: '101', model: 'connect.telco.markup', res_id: markup, is_published: true },
  })
  world = { contact, call, sid, colleague }
})
afterAll(() => app.stop())

function operationOf(route: string): Operation {
  return document[route]?.post ?? { parameters: [], requestBody: { content: {} }, responses: {} }
}

function isTelco(route: string): boolean {
  return TELCO.includes(route)
}

function isTool(route: string): boolean {
  return TOOLS.some((each) => each === route)
}

let days = 0
/** An hour in which nobody has anything yet. */
function freeHour(): { start: string; stop: string } {
  days += 1
  const day = new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 'YYYY-MM-DD'.length)
  return { start: `${day} 10:00:00`, stop: `${day} 11:00:00` }
}

async function aTicket(): Promise<number> {
  const args = { call_id: world.call, subject: `Roof ${aSid()}` }
  const { body } = await app.tool('/connect_voiceai_helpdesk/create_ticket', args)
  return (body as { ticket_id: number }).ticket_id
}

async function aMeeting(): Promise<number> {
  const args = { user_id: world.colleague, call_id: world.call, ...freeHour() }
  const { body } = await app.tool('/connect_voiceai/create_event', args)
  return (body as { event_id: number }).event_id
}

/** Every argument of a tool, so that it does what it is for. */
async function argumentsFor(route: string): Promise<Record<string, unknown>> {
  const { contact, call, sid, colleague } = world
  switch (route.split('/').at(-1)) {
    case 'transfer':
      return { channel_sid: sid, exten: '101' }
    case 'create_partner':
      return { call_id: call, name: 'Zoe Meier' }
    case 'get_available_slots':
      return { user_id: colleague, start: freeHour().start.slice(0, 'YYYY-MM-DD'.length), timezone: 'Europe/Zurich' }
    case 'create_event':
      return { user_id: colleague, ...freeHour(), name: 'Visit', timezone: '+2', call_id: call, partner_id: contact }
    case 'get_meetings':
      return { partner_id: contact, timezone: 'Europe/Zurich' }
    case 'remove_meeting':
      return { event_id: await aMeeting(), call_id: call, partner_id: contact }
    case 'create_ticket':
      return {
        ...{ call_id: call, subject: 'Roof', description: 'It leaks', team_name: 'Support', partner_id: contact },
        ...{ email: 'zoe@example.com', phone: '+41315550142' },
      }
    case 'search_tickets':
      return { partner_id: contact, only_open: true }
    case 'fetch_ticket':
      return { ticket_id: await aTicket() }
    case 'update_ticket':
      return {
        ...{ ticket_id: await aTicket(), subject: 'Cellar', description: 'It is wet', priority: '2' },
        stage_name: 'Closed',
      }
    case 'ticket_activity':
      return { ticket_id: await aTicket(), note: `Called back ${aSid()}` }
    default:
      return {}
  }
}

function addressOf(route: string): string {
  return route.replace('{model}', 'connect.user').replace('{record}', '1')
}

function form(route: string): Record<string, string> {
  return { ...PARTIES, ...FORMS[route.slice('/telco/webhook/'.length)] }
}

/** A request of this route as its sender makes it. */
async function sent(route: string, args?: object): Promise<Answer> {
  if (isTelco(route)) return sendTelco(app, addressOf(route), form(route))
  if (route === POST_CALL) return deliver(app, aTranscript())
  if (route === INITIATION) return app.tool(route, { caller_id: '+41315550142' })
  return app.tool(route, args ?? (await argumentsFor(route)))
}

/** Says that it will send more than is taken, and sends nothing of it. */
function tooLarge(route: string): Promise<Answer> {
  const headers = {
    ...{ 'content-length': TOO_MANY_BYTES, [TOKEN]: app.token, 'voiceai-signature': sign('') },
    ...{ 'x-telco-signature': Buffer.alloc(SHA1_BYTES).toString('base64'), 'x-forwarded-proto': 'https' },
  }
  return new Promise((resolve, reject) => {
    const asked = request(app.url + addressOf(route), { method: 'POST', headers, agent: false }, (reply) => {
      readAll(reply).then((text) => {
        const type = reply.headers['content-type'] ?? ''
        const body: unknown = type.startsWith('application/json') ? JSON.parse(text) : undefined
        resolve({ status: reply.statusCode ?? 0, headers: new Headers({ 'content-type': type }), text, body })
        asked.destroy()
      }, reject)
    })
    asked.on('error', reject)
    asked.flushHeaders()
  })
}

/** The answer where nothing finds room. */
async function withoutRoom(route: string): Promise<Answer> {
  const args = isTool(route) ? await argumentsFor(route) : undefined
  const room = vi.spyOn(Room.prototype, 'share').mockReturnValue({ claim: () => false, release: () => undefined })
  try {
    return await sent(route, args)
  } finally {
    room.mockRestore()
  }
}

/** What is not usable of a tool, does not exist, or cannot be done as things are. */
async function refusedTool(route: string): Promise<Answer[]> {
  const args = await argumentsFor(route)
  const ids = Object.keys(args).filter((name) => name.endsWith('_id') || name === 'channel_sid')
  const unknown = Object.fromEntries(ids.map((name) => [name, name === 'channel_sid' ? aSid() : NO_RECORD]))
  const answers = [
    await app.tool(route, '[]'),
    await app.tool(route, {}),
    await app.tool(route, { ...args, ...unknown }),
    await app.tool(route, args, { [CALL]: String(NO_RECORD) }),
  ]
  client.failure = new ProviderRefused('conflict', 'call-over')
  // Another call, for what is asked again is answered as it was.
  const sid = aSid()
  const call = await aCall(app, { sid })
  const taken = { ...args, ...('channel_sid' in args ? { channel_sid: sid } : { call_id: call }) }
  if ('start' in args) await app.tool(route, args)
  answers.push(await app.tool(route, taken))
  client.failure = undefined
  return answers
}

/** What a route answers to everything that is asked of it here. */
async function answersOf(route: string): Promise<Answer[]> {
  const answers = [await sent(route), await tooLarge(route), await withoutRoom(route)]
  answers.push(await app.request(addressOf(route), { method: 'PUT', body: '{}' }))
  answers.push(await app.post(addressOf(route), '{}'))
  if (isTelco(route)) answers.push(await sendTelco(app, addressOf(route), {}))
  return isTool(route) ? [...answers, ...(await refusedTool(route))] : answers
}

describe('what a route answers', () => {
  it('the API document describes these 26 and no others', () => {
    const webhooks = Object.keys(document).filter((each) => /^\/(?:connect_voiceai|telco\/webhook)/.test(each))
    expect(webhooks.sort()).toEqual(ROUTES.map(({ route }) => route).sort())
  })

  it.each(ROUTES)('$route answers the statuses, types and bodies of the document, all of them', async ({ route }) => {
    const { responses } = operationOf(route)
    const answers = await answersOf(route)
    for (const { status, headers, body, text } of answers) {
      const type = headers.get('content-type')?.split(';', 1)[0] ?? ''
      const schema = responses[status]?.content[type]?.schema
      expect(schema, `${status} ${type}`).toBeDefined()
      const value = type === 'application/json' ? body : text
      expect([...Compile(schema as never).Errors(value)], `${status} ${text}`).toEqual([])
      expect(headers.get('allow')).toBe(status === 405 ? 'POST' : null)
      expect(responses[status]?.headers?.Allow === undefined).toBe(status !== 405)
    }
    const seen = [...new Set(answers.map(({ status }) => String(status)))].sort()
    expect(seen).toEqual(Object.keys(responses).sort())
    const types = (status: number) => Object.keys(responses[status]?.content ?? {})
    const seenTypes = answers.filter(({ status }) => status === 200).map(({ headers }) => headers.get('content-type'))
    for (const type of types(200)) expect(seenTypes.some((each) => each?.startsWith(type))).toBe(true)
  })
})

/** The status of what is written to the service as it stands. */
function statusOf(written: string): Promise<number> {
  const { port, hostname } = new URL(app.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.once('data', (head) => {
      socket.destroy()
      resolve(Number(String(head).split(' ', 2)[1]))
    })
    socket.once('error', reject)
    socket.write(written)
  })
}

describe('what is no request to a route', () => {
  const line = 'POST /telco/webhook/callstatus HTTP/1.1\r\nhost: x\r\n'
  it.each([
    ['no HTTP', 'HELLO\r\n\r\n', 400],
    ['two lengths', `${line}content-length: 1\r\ncontent-length: 2\r\n\r\nab`, 400],
    ['a broken address', 'POST /telco/webhook/%zz HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n', 400],
    ['nobody there', 'POST /telco/webhook/none HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n', 404],
    ['another expectation', `${line}expect: tea\r\ncontent-length: 0\r\n\r\n`, 417],
    ['long headers', `${line}x: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
  ])('what is no request to a route has the status of the page: %s', async (_what, written, status) => {
    expect(await statusOf(written)).toBe(status)
    expect(page).toContain(`\n| ${status} | `)
  })

  it.each(TELCO.map((route) => ({ route })))(
    '$route answers a form whatever its content type says',
    async ({ route }) => {
      for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain'])
        expect(
          (await sendTelco(app, addressOf(route), form(route), { headers: { 'content-type': type } })).status,
        ).toBe(200)
    },
  )
})

describe('what a tool takes', () => {
  const tools = TOOLS.map((route) => ({ route }))
  const requestOf = (route: string): Schema => operationOf(route).requestBody.content['application/json']?.schema ?? {}

  it.each(tools)('$route takes the arguments of the document', async ({ route }) => {
    const { properties = {} } = requestOf(route)
    expect(Object.keys(await argumentsFor(route)).sort()).toEqual(Object.keys(properties).sort())
  })

  it.each(tools)('$route may be called without what the document says may be left out', async ({ route }) => {
    const { properties = {}, required = [] } = requestOf(route)
    for (const [name, schema] of Object.entries(properties)) {
      const status = required.includes(name) ? 400 : 200
      const { [name]: _left, ...others } = await argumentsFor(route)
      expect([name, (await app.tool(route, others)).status]).toEqual([name, status])
      for (const absent of ABSENT) {
        const args = { ...(await argumentsFor(route)), [name]: absent }
        expect([name, absent, (await app.tool(route, args)).status]).toEqual([name, absent, status])
        if (status === 200) expect(Compile(schema as never).Check(absent), `${name} ${absent}`).toBe(true)
      }
    }
  })

  it.each(tools)('$route takes numbers as numbers and as texts, and the document says so', async ({ route }) => {
    const schema = Compile(requestOf(route) as never)
    const isNumber = (value: unknown): boolean => /^\d+$/.test(String(value))
    for (const as of [Number, String]) {
      const given = Object.entries(await argumentsFor(route))
      const args = Object.fromEntries(given.map(([name, value]) => [name, isNumber(value) ? as(value) : value]))
      expect([args, (await app.tool(route, args)).status]).toEqual([args, 200])
      expect([...schema.Errors(args)]).toEqual([])
    }
  })
})

describe('the headers of a route', () => {
  it.each(ROUTES)('$route has those of its group', ({ route }) => {
    const headers = operationOf(route).parameters.filter((each) => each.in === 'header')
    const named = headers.map(({ name, required }) => `${name}${required ? '' : '?'}`)
    if (isTelco(route)) expect(named).toEqual(['X-Telco-Signature'])
    else if (route === POST_CALL) expect(named).toEqual(['Voiceai-Signature'])
    else expect(named).toEqual(isTool(route) ? [TOKEN, `${CALL}?`] : [TOKEN])
  })

  it('the provider’s own names of signatures count, and the document says so', async () => {
    const described = (route: string): string => operationOf(route).parameters.at(-1)?.description ?? ''
    const [status] = TELCO
    expect(described(POST_CALL)).toContain('ElevenLabs-Signature')
    expect(described(status ?? '')).toContain('X-Twilio-Signature')
    const body = JSON.stringify(aTranscript())
    expect((await app.post(POST_CALL, body, { 'ElevenLabs-Signature': sign(body) })).status).toBe(200)
    const told = await sendTelco(app, status ?? '', form(status ?? ''), { header: 'X-Twilio-Signature' })
    expect(told.text).toMatch(/^\d+$/)
  })
})

describe('the page of the webhooks', () => {
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2).split(' | '))
  const onPage = (route: string): string => route.replaceAll(/\{(\w+)\}/g, '<$1>')
  const names = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`(\??)/g)].map(([, name, mark]) => `${name}${mark}`)

  it.each(ROUTES)('the page of the webhooks has the headers and statuses of $route', ({ route }) => {
    const { parameters, responses } = operationOf(route)
    const [, headers, statuses = ''] = rows.find(([cell]) => cell === `\`${onPage(route)}\``) ?? []
    const described = parameters.filter((each) => each.in === 'header')
    expect(names(headers)).toEqual(described.map(({ name, required }) => `${name}${required ? '' : '?'}`))
    expect(statuses.match(/\d+/g)).toEqual(Object.keys(responses))
  })

  it.each(TELCO.map((route) => ({ route })))('the page of the webhooks has the parameters of $route', ({ route }) => {
    const { parameters, requestBody } = operationOf(route)
    const short = onPage(route).slice('/telco/webhook/'.length)
    const table = page.slice(page.indexOf('| Path | Fields |')).split('\n\n', 1)[0] ?? ''
    const cells = (name: string) =>
      table
        .split('\n')
        .map((line) => line.slice(2).split(' | '))
        .find(([paths]) => names(paths).includes(name))
    const [, fields = '', query = ''] = cells(short) ?? []
    const same = /^as `(\w+)`/.exec(fields)?.[1]
    const { properties = {}, required = [] } = Object.values(requestBody.content)[0]?.schema ?? {}
    const named = names(same === undefined ? fields : cells(same)?.[1])
    expect(named.toSorted()).toEqual(Object.keys(properties).sort())
    expect(named.slice(0, 1)).toEqual(required)
    expect(names(query)).toEqual(parameters.filter((each) => each.in === 'query').map(({ name }) => name))
  })

  it.each([INITIATION, POST_CALL])('the page of the webhooks has the parameters of %s', (route) => {
    const [, text = ''] = page.split(`\n### ${route.split('/').at(-1)}\n`)
    const section = text.split('\n##', 1)[0] ?? ''
    const { properties = {} } = operationOf(route).requestBody.content['application/json']?.schema ?? {}
    const all = [...Object.keys(properties), ...Object.keys(properties.data?.properties ?? {})]
    expect(all.filter((name) => !names(section).includes(name))).toEqual([])
  })
})
