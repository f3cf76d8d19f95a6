// Whatever is configured: what "Try a call" says a caller hears is what the signed webhooks answer.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FarEnd,
  type Input,
  legFields,
  ownTarget,
  playCall,
  type Step,
  WEBHOOKS,
} from '../../src/telco/routing/rehearsal/caller-line.ts'
import { FUZZ_SEED } from '../support/fuzz-seed.ts'
import { ACCOUNT_SID, PUBLIC_URL, sendTelco, setUpTelco } from '../support/telco.ts'
import { TestApp } from '../support/test-app.ts'

const PLANS = 12
const CALLS_PER_PLAN = 4
const NUMBER = '+41445550100'
/** A Wednesday; calls come within the week after it. */
const MONDAY_MS = Date.UTC(2026, 7, 24)
const WEEK_MINUTES = 7 * 24 * 60
const MINUTE_MS = 60_000
/** What a plan is made of, each before what it names. */
const MODELS = ['callflow_choice', 'number', 'exten', 'callflow', 'opening', 'business_hours']

let app: TestApp
let now = new Date(MONDAY_MS)
let phones: number[] = []

beforeAll(async () => {
  app = await TestApp.start({ clock: () => now })
  await setUpTelco(app)
  await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { country_id: 'CH', telco_auto_sync: false } })
  const domain = await create('connect.telco.domain', { friendly_name: 'Acme', subdomain: 'acme' })
  phones = await Promise.all(
    ['ann', 'bo', 'cy'].map(async (username, at) => {
      const user = await create('res.users', { login: username, name: username })
      return create('connect.user', { user, username, domain, voicemail_enabled: at === 1, sip_enabled: at !== 2 })
    }),
  )
  await create('res.partner', { name: 'Zoe Meier', phone: '031 555 01 42', lang: 'de_DE' })
})
afterAll(() => app.stop())

interface Menu {
  prompt: string
  gathers: boolean
  speech: boolean
  digits: number
  voicemail: boolean
  /** Which key leads to which phone (by place), or back to the menu itself. */
  choices: { key: string; words: string; to: number }[]
}

const menus = fc.record<Menu>({
  prompt: fc.constantFrom('', 'Welcome.', 'Press a key, please.', 'Grüezi & «willkommen» <b>'),
  gathers: fc.boolean(),
  speech: fc.boolean(),
  digits: fc.constantFrom(1, 2),
  voicemail: fc.boolean(),
  choices: fc.uniqueArray(
    fc.record({
      key: fc.constantFrom('1', '2', '3', '12', '*'),
      words: fc.constantFrom('', 'sales', 'support, help'),
      to: fc.nat(3),
    }),
    { selector: ({ key }) => key, maxLength: 3 },
  ),
})
const plans = fc.record({
  menu: menus,
  destination: fc.constantFrom('callflow', 'user', 'callflow', 'none'),
  phone: fc.nat(2),
  hours: fc.option(
    fc.record({ day: fc.nat(6), from: fc.integer({ min: 0, max: 11 }), to: fc.integer({ min: 12, max: 24 }) }),
  ),
  closed: fc.constantFrom('We are closed.', ''),
})
const calls = fc.record({
  minute: fc.nat(WEEK_MINUTES - 1),
  from: fc.constantFrom('+41315550142', '+14155550199', 'client:ann'),
  inputs: fc.array(
    fc.oneof(
      fc.record({ press: fc.constantFrom('1', '2', '12', '*', '9', '3#') }),
      fc.record({ say: fc.constantFrom('sales', 'Help please', 'one', 'nothing') }),
    ),
    { maxLength: 4 },
  ),
})

test('a dry run of any plan, at any time, with any keys, is what the signed webhooks answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      plans,
      fc.array(calls, { minLength: CALLS_PER_PLAN, maxLength: CALLS_PER_PLAN }),
      async (plan, all) => {
        await configure(plan)
        for (const { minute, from, inputs } of all) {
          now = new Date(MONDAY_MS + minute * MINUTE_MS)
          const { steps } = await app.admin.ask<{ steps: Step[] }>('connect.telco.number', 'rehearse', {
            to: NUMBER,
            from,
            inputs,
          })
          expect(steps).toEqual(await playCall(overWebhooks(from), `${WEBHOOKS}/number`, inputs as Input[]))
        }
      },
    ),
    { numRuns: PLANS, seed: FUZZ_SEED, endOnFailure: true },
  )
})

/** Takes what is configured away, and configures this. */
async function configure({
  menu,
  destination,
  phone,
  hours,
  closed,
}: typeof plans extends fc.Arbitrary<infer Plan> ? Plan : never) {
  for (const name of MODELS) {
    const model = `connect.telco.${name}`
    const ids = await app.admin.ask<number[]>(model, 'search')
    if (ids.length > 0) await app.admin.ask(model, 'unlink', { ids })
  }
  const flow = await create('connect.telco.callflow', {
    name: 'Menu',
    prompt_message: menu.prompt,
    gather_input: menu.gathers,
    gather_input_type: menu.speech ? 'dtmf speech' : 'dtmf',
    gather_digits: menu.digits,
    voicemail_enabled: menu.voicemail,
    voicemail_prompt: 'Please leave a message.',
    exten_number: '200',
  })
  // A key longer than what is asked for is refused when it is saved.
  const choices = menu.choices.filter(({ key }) => key.length <= menu.digits)
  for (const [at, { key, words, to }] of choices.entries()) {
    const target = phones[to]
    const dst = target === undefined ? `connect.telco.callflow,${flow}` : `connect.user,${target}`
    const exten = await extensionOf(dst, 300 + at)
    await create('connect.telco.callflow_choice', {
      callflow: flow,
      choice_digits: key,
      speech: words === '' ? null : words,
      exten,
    })
  }
  const schedule =
    hours === null ? null : await create('connect.telco.business_hours', { name: 'Office', tz: 'Europe/Zurich' })
  if (hours !== null) {
    await create('connect.telco.opening', {
      business_hours: schedule,
      dayofweek: String(hours.day),
      hour_from: hours.from,
      hour_to: hours.to,
    })
  }
  await create('connect.telco.number', {
    phone_number: NUMBER,
    ...(destination === 'none' ? {} : { destination }),
    ...(destination === 'callflow' ? { callflow: flow } : {}),
    ...(destination === 'user' ? { user: phones[phone] } : {}),
    business_hours: schedule,
    closed_message: closed,
  })
}

async function extensionOf(dst: string, number: number): Promise<number> {
  const [model, id] = dst.split(',')
  const [present] = await app.admin.ask<number[]>('connect.telco.exten', 'search', {
    domain: [
      ['model', '=', model],
      ['res_id', '=', Number(id)],
    ],
  })
  return present ?? create('connect.telco.exten', { number: String(number), dst })
}

/** The provider, which signs what it sends. */
function overWebhooks(from: string): FarEnd {
  const leg = { ...legFields({ from, to: NUMBER, accountSid: ACCOUNT_SID }), Direction: 'inbound' }
  return {
    async answer(address, fields) {
      const target = ownTarget(PUBLIC_URL, address)
      if (target === undefined) return undefined
      const CallStatus = Object.keys(fields).length === 0 ? 'ringing' : 'in-progress'
      const { status, text } = await sendTelco(app, `${WEBHOOKS}${target}`, { ...leg, CallStatus, ...fields })
      expect(status).toBe(200)
      return text
    },
    textOfAudio: async () => undefined,
    nameOfAgent: async () => undefined,
  }
}

function create(model: string, values: object): Promise<number> {
  return app.admin.ask<number>(model, 'create', { vals_list: values })
}
