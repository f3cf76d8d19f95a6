// What the page says of calls with an agent: only what is known, that the agent named itself an AI, and who missed whom.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Act, hangUp, hear, meanwhile, say, wait } from '../../emulators/people.ts'
import type { Company } from '../../emulators/scenarios/company.ts'
import { missedCall } from '../../emulators/scenarios/missed-call.ts'
import { synchronise } from '../../emulators/scenarios/prepare.ts'
import { runScenario } from '../../emulators/scenarios/scenario.ts'
import { setUpCompany } from '../../emulators/scenarios/set-up.ts'
import { endsCall, hears, pauses, type Script, says } from '../../emulators/voiceai/conversation/script.ts'
import { startWorld, type TestWorld } from '../emulators/scenario-world.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { eventually } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, PASSWORD, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const AGENT = 'Helpdesk'
const NUMBER = '+14155550171'
const COMPANY: Company = {
  agents: [{ name: AGENT, greeting: 'How can I help you?', prompt: 'You help.', tools: ['end_call'] }],
  numbers: [{ number: NUMBER, leadsTo: AGENT }],
}
const ANNOUNCED = /You are talking to an AI assistant, .* Welcome to Keller\./

let world: TestWorld
let browser: Browser

beforeAll(async () => {
  world = await startWorld({}, { PAGE: 'on' })
  await firstAdministrator(world.app, 'ada')
  await setUpCompany(world.service, world, COMPANY)
  await pageIsBuilt(world.app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await world.stop()
})

/** Somebody calls the agent; gives the id of the call. */
async function called(caller: string, { script, acts }: { script: Script; acts: readonly Act[] }): Promise<number> {
  const { complaints } = await runScenario(
    {
      name: 'truths',
      title: 'Somebody calls the agent',
      company: {},
      scripts: () => ({ [AGENT]: script }),
      play: async ({ call }) => void (await call({ from: caller, to: NUMBER, acts })),
      expects: [],
    },
    world,
  )
  expect(complaints).toEqual([])
  return callOf(caller)
}

async function callOf(caller: string): Promise<number> {
  const domain = [['caller', '=', caller]]
  return eventually(async () => (await world.app.admin.ask<number[]>('connect.call', 'search', { domain }))[0])
}

/** The agent says first that it is an AI, or does not. */
async function announce(isOn: boolean): Promise<void> {
  const { admin } = world.app
  const ids = await admin.ask<number[]>('connect.voiceai_agent', 'search', { domain: [['name', '=', AGENT]] })
  await admin.ask('connect.voiceai_agent', 'write', { ids, vals: { announces_ai: isOn } })
  await synchronise(world.service, 'voiceai')
}

describe('what the page says of a call', { timeout: 2 * BROWSER_MS }, () => {
  it('a live call of an agent is talking, and its goal is reached only where the platform says so', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    const failures: unknown[] = []
    const look = async (): Promise<void> => {
      await visitor.go(`/calls/${await callOf('+14155550271')}`)
      await page.locator('main').getByText(`${AGENT} talking`).or(page.getByText('Talking')).first().waitFor()
      expect(await page.locator('main').getByText('Ringing').count()).toBe(0)
    }
    const turns = [hears('boiler'), says('It is mended.'), hears('thank'), endsCall()]
    const acts = [
      ...[hear('help you'), meanwhile(() => look().catch((error) => void failures.push(error)))],
      ...[say('My boiler leaks.'), hear('mended'), say('Thank you.'), hear('goodbye')],
    ]
    const reached = await called('+14155550271', { script: { summary: 'Mended.', turns }, acts })
    expect(failures).toEqual([])
    const failed = await called('+14155550272', {
      script: { isSuccessful: false, summary: 'No.', turns },
      acts: acts.filter((_each, at) => at !== 1),
    })
    const silent = await called('+14155550273', {
      script: { turns: [pauses(8)] },
      acts: [hear('help you'), wait(4), hangUp()],
    })
    for (const [id, wanted, unwanted] of [
      [reached, 'Goal reached', 'The caller said nothing'],
      [failed, `With ${AGENT}`, 'Goal reached'],
      [silent, 'The caller said nothing', 'Goal reached'],
    ] as const) {
      await visitor.go(`/calls/${id}`)
      await page.locator('main').getByText(wanted).first().waitFor()
      expect(await page.locator('main').getByText(unwanted).count()).toBe(0)
    }
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('an agent names itself an AI whatever its greeting becomes, and each call says that it did', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const script: Script = { turns: [hears('hello')] }
    const before = await called('+14155550274', { script, acts: [hear('help you'), say('Hello.'), hangUp()] })
    await announce(true)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/agents')
    await page.locator('main').getByRole('link', { name: AGENT }).first().click()
    const greeting = page.getByRole('textbox', { name: /^Greeting/ }).first()
    await greeting.fill('Welcome to Keller.')
    const draft = page.getByRole('region', { name: 'Draft', exact: true })
    await draft.getByRole('button', { name: 'Review' }).click()
    await draft.getByRole('button', { name: 'Publish' }).click()
    await draft.waitFor({ state: 'detached' })
    const spoken = () => [...world.voiceai.workspace.agents.values()].map((agent) => JSON.stringify(agent))
    await expect.poll(() => spoken().some((agent) => agent.includes('Welcome to Keller.'))).toBe(true)
    expect(spoken().every((agent) => !agent.includes('Welcome to Keller.') || agent.includes('AI assistant'))).toBe(
      true,
    )
    const after = await called('+14155550275', { script, acts: [hear('ai assistant'), say('Hello.'), hangUp()] })
    await visitor.go(`/calls/${after}`)
    await page.getByText(ANNOUNCED).first().waitFor()
    await page.getByText("played: it says that it's an AI and that the call is recorded").waitFor()
    await visitor.go(`/calls/${before}`)
    await page.getByText('not played', { exact: true }).waitFor()
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('a phone user is told of a missed call by the name of the caller', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    expect((await runScenario(missedCall, world)).complaints).toEqual([])
    const { admin } = world.app
    const ids = await admin.ask<number[]>('res.users', 'search', { domain: [['login', 'ilike', 'eve']] })
    await admin.ask('res.users', 'write', { ids, vals: { password: PASSWORD } })
    const [{ login = '' } = {}] = await admin.ask<{ login: string }[]>('res.users', 'read', { ids, fields: ['login'] })
    const visitor = await Visitor.open(browser, world.app.url)
    await visitor.signIn(login, '/now')
    await visitor.page.getByRole('button', { name: /^Notices/ }).click()
    await visitor.page.getByText('Missed call from Yara Novak').first().waitFor()
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })
})
