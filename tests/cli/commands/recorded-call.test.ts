import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ran, runCommand } from '../../support/command.ts'
import { Place, ServiceProcess } from '../../support/service-process.ts'

const NUMBER = '+41445550100'
const CALLER = '+41315550142'

let place: Place
let service: ServiceProcess

beforeAll(async () => {
  place = await Place.prepared()
  service = await ServiceProcess.start(place.env)
  await create('res.users', { login: 'ann', name: 'Ann Keller' })
  await create('connect.telco.domain', { friendly_name: 'Acme', subdomain: 'acme-example' })
  await create('connect.user', {
    user: 'Ann Keller',
    username: 'ann',
    domain: 'Acme',
    telco_exten_number: '102',
    voicemail_enabled: true,
  })
  const menu = { name: 'Main menu', gather_input: true, prompt_message: 'Welcome to Acme.' }
  await create('connect.telco.callflow', menu)
  await create('connect.telco.callflow_choice', { callflow: 'Main menu', choice_digits: '1', exten: '102' })
  await create('connect.telco.number', { phone_number: NUMBER, destination: 'callflow', callflow: 'Main menu' })
})
afterAll(async () => {
  await service.stop()
  await place.remove()
})

test('a call is recorded by the running service alone, signed, and not where callers may really call', async () => {
  await set({ api_url: 'https://connect.example.com', auth_token: null })
  expect(await record()).toMatchObject({ code: 3, err: expect.stringContaining('connect settings set auth_token') })
  await set({ api_url: 'https://pbx.acme.ch', auth_token: 'any text' })
  expect(await record()).toMatchObject({ code: 3, err: expect.stringContaining('pbx.acme.ch is a real address') })
  expect(await record('--at', 'sunday 10:00')).toMatchObject({ code: 2 })
  expect((await connect('call', 'list', '--json')).out.trim()).toBe('[]')
})

test('a recorded call to an own number stands in the ledger with its story, marked as simulated', async () => {
  await set({ api_url: 'https://connect.example.com', auth_token: 'any text' })
  const { code, out, err } = await record('--press', '1')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain('Welcome to Acme.')
  expect(out).toMatch(/rings for \d+ s; no one answers/)
  const [, id = ''] = /It is call (\d+) of the ledger: connect call timeline \1\n$/.exec(out) ?? []

  const [call] = JSON.parse((await connect('call', 'list', '--json')).out) as object[]
  expect(call).toMatchObject({ id: Number(id), direction: 'incoming', caller: CALLER, called: NUMBER })
  expect((await connect('call', 'show', id)).out).toMatch(/summary +Simulated by connect simulate call --record/)
  const story = (await connect('call', 'timeline', id)).out
  for (const part of ['Call received', 'Pressed 1 →', 'no answer', 'Simulated by connect simulate call']) {
    expect(story).toContain(part)
  }
  expect(story).not.toContain('bad signature')
  const inOrder = [
    'Call received',
    'Pressed 1',
    'Ringing',
    'Rang, no answer',
    'Ann Keller: rang, no answer',
    'No answer →',
  ]
  const places = [...inOrder, 'Ended', `${NUMBER}: ended`].map((part) => story.indexOf(part))
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  expect(story.search(/→ Ann.*: started$/m)).toBeGreaterThan(story.indexOf('Pressed 1'))
  // Ann's phone is the one in the browser, whose markup names her in a child of its own.
  expect(story).toMatch(/→ Ann.*: started$/m)
})

test('a call is recorded at a real address for the person who says so', async () => {
  await set({ api_url: 'https://pbx.acme.ch' })
  const { code, out } = await record('--yes', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ call: expect.any(Number), steps: expect.any(Array) })
})

test('a call is recorded by no command of its own while no service runs', async () => {
  await service.stop()
  expect(await record('--yes')).toMatchObject({ code: 3, err: expect.stringContaining('Only a running service') })
})

function record(...options: string[]): Promise<Ran> {
  return connect('simulate', 'call', '--to', NUMBER, '--from', CALLER, '--record', ...options)
}

function connect(...args: string[]): Promise<Ran> {
  return runCommand(args, place.env)
}

async function set(vals: object): Promise<void> {
  const [id] = await service.call<number[]>(place.localKey, 'connect.settings', 'search')
  await service.call(place.localKey, 'connect.settings', 'write', { ids: [id], vals })
}

async function create(model: string, values: object): Promise<void> {
  await service.call(place.localKey, model, 'create', { vals_list: values })
}
