import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ran, runCommand } from '../support/command.ts'
import { Place, ServiceProcess } from '../support/service-process.ts'
import { ACCOUNT_SID, AUTH_TOKEN, aVoiceRequest, PUBLIC_URL, sendSigned } from '../support/telco.ts'

let place: Place
let service: ServiceProcess

beforeAll(async () => {
  place = await Place.prepared()
  service = await ServiceProcess.start(place.env)
})
afterAll(async () => {
  await service.stop()
  await place.remove()
})

describe('settings set', () => {
  it.each([
    ['country_id', 'CH', /Switzerland \(\d+\)/],
    ['country_id', 'Germany', /Germany \(\d+\)/],
    ['call_duration_limit', '600', /600/],
    ['transcript_calls', 'yes', /true/],
    ['transcript_calls', 'OFF', /false/],
    ['api_url', ' https://pbx.example.com/connect ', /https:\/\/pbx\.example\.com\/connect$/],
    ['telco_edge', 'tokyo', /tokyo/],
  ])('stores %s as %j and prints what is stored', async (name, typed, stored) => {
    const set = await connect(['settings', 'set', name, typed])
    expect(set).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`${name} is set: `) })
    expect(set.out.trim()).toMatch(stored)
    const got = await connect(['settings', 'get', name])
    expect(set.out).toContain(got.out.trim())
  })

  it('says that a setting which was emptied is empty', async () => {
    const emptied = await connect(['settings', 'set', 'country_id', ''])
    expect(emptied).toMatchObject({ code: 0, err: '', out: 'country_id is empty now\n' })
    expect((await connect(['settings', 'get', 'country_id'])).out.trim()).toBe('-')
  })

  it.each([
    ['country_id', 'Atlantis', 'the id, code or name of a record of res.country'],
    ['country_id', '999999999', 'the id, code or name of a record'],
    ['call_duration_limit', 'abc', '"abc" should be a number'],
    ['call_duration_limit', '10 minutes', 'should be a number'],
    ['call_duration_limit', '0', 'from 1 to 86400'],
    ['delivery_keep_days', '1.5', 'whole number'],
    ['transcript_calls', 'maybe', '"maybe" should be on or off'],
    ['transcript_calls', '', 'should be on or off'],
    ['api_url', 'soon', 'must be an address such as https://'],
    ['api_url', 'ftp://pbx.example.com', 'must be an address'],
    ['api_url', 'https://pbx.example.com/?x=1', 'without a query'],
    ['api_url', 'https://ann:secret@pbx.example.com', 'must be an address'],
    ['api_fallback_url', 'pbx.example.com', 'must be an address'],
  ])('refuses %s as %j, and nothing changes', async (name, typed, sentence) => {
    const before = (await connect(['settings', 'get', name])).out
    const refused = await connect(['settings', 'set', name, typed])
    expect(refused).toMatchObject({ code: 3, out: '', err: expect.stringContaining(sentence) })
    expect((await connect(['settings', 'get', name])).out).toBe(before)
  })

  it('emptying a secret warns of no secret in the history', async () => {
    expect(await connect(['settings', 'set', 'auth_token', ''])).toMatchObject({ code: 0, err: '' })
  })

  it('empties nothing because nothing was typed', async () => {
    await connect(['settings', 'set', 'voiceai_api_key'], 'an API key\n')
    const set = await connect(['settings', 'set', 'voiceai_api_key'], '\n')
    expect(set).toMatchObject({ code: 3, err: expect.stringContaining('nothing was typed') })
    expect((await connect(['settings', 'get', 'voiceai_api_key'])).out.trim()).toBe('****')
    expect((await connect(['settings', 'set', 'voiceai_api_key', ''])).code).toBe(0)
    expect((await connect(['settings', 'get', 'voiceai_api_key'])).out.trim()).toBe('-')
  })
})

describe('users', () => {
  it('users are listed, get a new password, and are let in no more', async () => {
    const created = await connect(['user', 'create', 'carla', '--name', 'Carla Diaz'], 'tall trees 42 grow\n')
    expect(created).toMatchObject({ code: 0, err: '' })
    const listed = JSON.parse((await connect(['user', 'list', '--json'])).out) as object[]
    expect(listed).toContainEqual(
      expect.objectContaining({ login: 'carla', active: true, groups: expect.stringContaining('connect.group_user') }),
    )
    expect(await signIn('carla', 'tall trees 42 grow')).toBe(200)

    const changed = await connect(['user', 'password', 'carla'], 'short rivers 17 flow\n')
    expect(changed).toMatchObject({ code: 0, err: '' })
    expect(changed.out).not.toContain('rivers')
    expect(await signIn('carla', 'tall trees 42 grow')).toBe(401)
    expect(await signIn('carla', 'short rivers 17 flow')).toBe(200)
    const weak = await connect(['user', 'password', 'carla'], 'password\n')
    expect(weak.code).toBe(3)
    expect(await connect(['user', 'password', 'carla'])).toMatchObject({ code: 3, err: expect.stringMatching(/stays/) })

    expect(await connect(['user', 'deactivate', 'carla'])).toMatchObject({ code: 0, err: '' })
    expect(await signIn('carla', 'short rivers 17 flow')).toBe(401)
    const inactive = JSON.parse((await connect(['user', 'list', '--json'])).out) as object[]
    expect(inactive).toContainEqual(expect.objectContaining({ login: 'carla', active: false }))
    expect(await connect(['user', 'deactivate', '--undo', 'carla'])).toMatchObject({ code: 0 })
    expect(await signIn('carla', 'short rivers 17 flow')).toBe(200)
    expect(await connect(['user', 'deactivate', 'nobody'])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/no user with the login/),
    })
  })
})

describe('a link by which somebody chooses a password', () => {
  it.each([
    ['https://connect.example.com', 'https://connect.example.com/invitation#token=', 'WARNING: "link" leads nowhere'],
    ['https://pbx.acme-telephones.ch', 'https://pbx.acme-telephones.ch/invitation#token=', 'works from anywhere that'],
    ['https://pbx.local', 'https://pbx.local/invitation#token=', 'works in this network alone'],
    ['', '/invitation#token=', 'there is no public address (api_url) yet'],
  ])(
    'an invitation with the public address %j is printed below both addresses, with which works from where',
    async (address, begins, says) => {
      expect((await connect(['settings', 'set', 'api_url', address])).code).toBe(0)
      const login = `guest-${address.replaceAll(/\W/g, '')}`
      const made = await connect(['user', 'invite', login])
      expect(made).toMatchObject({ code: 0, err: '', out: expect.stringContaining(says) })
      expect(made.out).toContain('"link_here" works on the machine that the service runs on')
      const renewed = await connect(['--json', 'user', 'reset-link', login])
      const { link, link_here: here } = JSON.parse(renewed.out) as { link: string; link_here: string }
      expect(link.startsWith(begins)).toBe(true)
      expect(here.startsWith(`${service.url}/invitation#token=`)).toBe(true)
      const token = here.slice(here.indexOf('=') + 1)
      expect(link.endsWith(token)).toBe(true)
      const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token }) }
      expect((await fetch(`${service.url}/api/invitation`, asked)).status).toBe(200)
    },
  )
})

describe('a call', () => {
  it('the story of a call is told in order, with milliseconds and records, and its deliveries are listed', async () => {
    const vals = { auth_token: AUTH_TOKEN, account_sid: ACCOUNT_SID, api_url: PUBLIC_URL }
    await service.call(place.localKey, 'connect.settings', 'write', { ids: [1], vals })
    for (const [at, CallStatus] of ['ringing', 'in-progress', 'completed'].entries()) {
      const [SequenceNumber, Timestamp] = [String(at), new Date(Date.now() + at * 1_000).toUTCString()]
      const event = { CallStatus, SequenceNumber, Timestamp, CallbackSource: 'call-progress-events', CallDuration: '1' }
      const form = aVoiceRequest({ CallSid: 'CA-story', ...event })
      expect(await sendSigned(service.url, '/telco/webhook/callstatus', form)).toBe(200)
    }
    await sendSigned(service.url, '/telco/webhook/callstatus', aVoiceRequest({ CallSid: 'CA-other' }))
    const [call] = await service.call<{ id: number }[]>(place.localKey, 'connect.call', 'search_read', {
      domain: [['call_sid', '=', 'CA-story']],
      fields: ['id'],
    })
    const id = String(call?.id)
    const deliveries = await until(
      async () => JSON.parse((await connect(['--json', 'deliveries', 'list', '--call', id])).out) as { id: number }[],
      (rows) => rows.length === 3,
    )
    const moments = JSON.parse((await connect(['--json', 'call', 'timeline', id])).out) as Moment[]
    expect(moments.map(({ ms }) => ms)).toEqual(moments.map(({ ms }) => ms).toSorted((one, other) => one - other))
    for (const { at } of moments) expect(at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/)
    const records = moments.map(({ record }) => record)
    for (const each of deliveries) expect(records).toContain(`delivery ${each.id}`)
    expect(records.filter((record) => record?.startsWith('leg '))).not.toEqual([])
    expect(moments.findIndex(({ title }) => title === 'leg_begins')).toBeLessThan(
      moments.findIndex(({ title }) => title === 'leg_ended'),
    )
    expect((await connect(['call', 'timeline', id])).out).toMatch(/^\+0\.000 .*: started$/m)
    expect(await connect(['call', 'explain', id])).toMatchObject({ code: 0, out: expect.stringMatching(/^\S.*\.\n/) })
    const explained = await connect(['deliveries', 'explain', String(deliveries[0]?.id)])
    expect(explained).toMatchObject({ code: 0, out: 'It was accepted and handled.\n' })
    expect((await connect(['deliveries', 'list', '--rejected'])).out.trim()).toBe('Nothing found.')
    expect(await connect(['deliveries', 'list', '--call', '4711'])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/no call 4711/),
    })
    const inbox = await connect(['deliveries', 'list', '--inbox', '--call', id])
    expect(inbox).toMatchObject({ code: 2, err: expect.stringMatching(/cannot be used with/) })
  })
})

describe('the output', () => {
  it('names the version', async () => {
    expect(await connect(['--version'])).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })

  it('the output is a table for spreadsheets with --csv, also of an export', async () => {
    const vals = [{ name: '=cmd|calc', phone: '+41446681800' }, { name: 'Say "hi", Bob' }]
    await service.call(place.localKey, 'res.partner', 'create', { vals_list: vals })
    const domain = JSON.stringify([['name', 'in', vals.map(({ name }) => name)]])
    const exported = await connect(['export', 'res.partner', '--csv', '--fields', 'name,phone', '--domain', domain])
    expect(exported).toMatchObject({ code: 0, err: '' })
    expect(exported.out.replaceAll(/^\d+/gm, '7')).toBe(
      'id,name,phone\n7,"\'=cmd|calc",+41446681800\n7,"Say ""hi"", Bob",\n',
    )
    const users = await connect(['--csv', 'user', 'list'])
    expect(users.out).toMatch(/^id,login,name,active,groups\n/)
    expect(await connect(['--csv', '--json', 'user', 'list'])).toMatchObject({ code: 2 })
  })

  it('a call that failed says why, in one order, also where the provider has another clock', async () => {
    const parent = { CallSid: 'CA-why', Direction: 'inbound' }
    const agent = { Direction: 'outbound-dial', To: 'sip:agent_1@sip.example.com' }
    const child = { CallSid: 'CA-why-2', ParentCallSid: 'CA-why', ...agent }
    const send = async (form: object, CallStatus: string, second: number, more: object = {}) => {
      const Timestamp = new Date(Date.UTC(2031, 0, 5, 10, 0, second)).toUTCString()
      const event = { CallStatus, CallbackSource: 'call-progress-events', SequenceNumber: String(second), Timestamp }
      const request = aVoiceRequest({ ...form, ...event, ...more })
      expect(await sendSigned(service.url, '/telco/webhook/callstatus', request)).toBe(200)
    }
    await send(parent, 'in-progress', 0)
    await send(child, 'initiated', 1)
    await send(child, 'failed', 3, { CallDuration: '0', SipResponseCode: '404' })
    await send(parent, 'completed', 9, { CallDuration: '9' })
    const [call] = await service.call<{ id: number }[]>(place.localKey, 'connect.call', 'search_read', {
      domain: [['call_sid', '=', 'CA-why']],
      fields: ['id'],
    })
    const moments = await until(
      async () => JSON.parse((await connect(['--json', 'call', 'timeline', String(call?.id)])).out) as Moment[],
      (all) => all.filter(({ delivery }) => delivery !== undefined).length === 4,
    )
    expect(moments.filter(({ ms }) => ms < 0 || ms > 9_999)).toEqual([])
    expect(moments.every(({ provider_at: at }) => at?.startsWith('2031-01-05 10:00:0'))).toBe(true)
    const ends = moments.filter(({ title }) => title === 'leg_ended')
    expect(ends.map(({ params }) => params.status)).toEqual(['failed', 'completed'])
    expect(ends[0]?.sentence).toContain('SIP 404 Not Found, answered by sip.example.com')
    expect(ends[1]?.sentence).not.toContain('SIP')
  })
})

interface Moment {
  at: string
  ms: number
  provider_at?: string
  title: string
  params: Record<string, unknown>
  sentence: string
  record: string | null
  delivery?: number
}

async function signIn(login: string, password: string): Promise<number> {
  const reply = await fetch(`${service.url}/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login, password }),
  })
  return reply.status
}

async function until<Value>(read: () => Promise<Value>, isRight: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await read()
    if (isRight(value)) return value
    await delay(20)
  }
}

function connect(args: readonly string[], input = ''): Promise<Ran> {
  return runCommand(args, place.env, input)
}
