// A voice agent is tried on its page before a customer hears it: as the draft, as a chosen caller, with tools of which nothing is kept.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { startWorld, type TestWorld } from '../emulators/scenario-world.ts'
import { aCall } from '../fixtures/records.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { BROWSER_MS, firstAdministrator, PASSWORD, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const AGENT = 'connect.voiceai_agent'

let world: TestWorld
let browser: Browser
let agent: number

beforeAll(async () => {
  world = await startWorld({}, { PAGE: 'on' })
  const { app } = world
  await firstAdministrator(app, 'ada')
  const [voice] = await app.admin.ask<number[]>('connect.voiceai_voice', 'search', { limit: 1 })
  const tools = await app.admin.ask<number[]>('connect.voiceai_agent_tool', 'search', {
    domain: [['name', 'in', ['helpdesk_create_ticket', 'create_partner', 'end_call']]],
  })
  agent = await app.admin.ask<number>(AGENT, 'create', {
    vals_list: {
      ...{ name: 'Helpdesk', voice, prompt: 'You help callers.', tools: [[6, 0, tools]] },
      first_message: 'Good day {{partner_name}}!',
    },
  })
  await app.admin.ask(AGENT, 'save_draft', { ids: [agent], vals: { first_message: 'Welcome {{partner_name}}!' } })
  await app.admin.ask('res.partner', 'create', { vals_list: { name: 'Zoe Miller', phone: '+41313808316' } })
  const groups = await app.groupIds(['connect.group_user', 'base.group_user'])
  await app.admin.ask('res.users', 'create', {
    vals_list: { login: 'eve', name: 'Eve', group_ids: groups, password: PASSWORD },
  })
  await pageIsBuilt(app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await world.stop()
})

async function kept(): Promise<Record<string, number> | undefined> {
  const [counted] = await world.app.db.query<Record<string, number>>(
    sql`select (select count(*)::int from connect_call) as calls, (select count(*)::int from connect_channel) as legs,
          (select count(*)::int from helpdesk_ticket) as tickets, (select count(*)::int from res_partner) as contacts`,
  )
  return counted
}

const trials = () =>
  world.app.admin.ask<Record<string, unknown>[]>('connect.voiceai_trial', 'search_read', {
    fields: ['agent', 'is_draft', 'kind', 'caller', 'partner', 'steps', 'tool_calls', 'ended_at'],
  })

describe('trying a voice agent', { timeout: BROWSER_MS }, () => {
  it('an administrator writes with the draft in three clicks, sees its tools as they run, and leaves only a mark', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    const before = await kept()
    const copies = () =>
      [...world.voiceai.workspace.agents.values()].filter(({ name }) => name.startsWith('Connect trial'))
    await visitor.signIn('ada', '/agents')

    // Who presses before the page knows of the draft tries it all the same.
    const seen = Promise.withResolvers<void>()
    await page.route(/connect\.voiceai_agent_draft\/search_read/, (route) => seen.promise.then(() => route.continue()))
    await page.getByRole('link', { name: /^Helpdesk/ }).click()
    const talk = page.getByRole('region', { name: 'Talk to it' })
    await talk.getByRole('button', { name: 'Write to it' }).click()
    const said = talk.getByRole('log', { name: 'Conversation' })
    await said.getByText('Welcome Not registered!').waitFor()
    seen.resolve()
    await talk.getByText('You are talking to the draft.').waitFor()
    await talk.getByText(/^ElevenLabs is emulated on this machine: /).waitFor()
    await page.keyboard.type('Please open a ticket, my boiler leaks.')
    await talk.getByRole('button', { name: 'Send' }).click()

    await said.getByText(/^I have created ticket number/).waitFor()
    const used = said.getByText(/^Used: Open a ticket \(\d+ ms\)$/)
    await used.waitFor()
    const barriers = await visitor.barriers()
    await used.click()
    await said.getByText('Please open a ticket, my boiler leaks.').nth(1).waitFor()
    expect(copies()).toHaveLength(1)
    await talk.getByRole('button', { name: 'End', exact: true }).click()
    await talk.getByText('The conversation is over. Only a note that it was a trial is kept.').waitFor()
    expect(await kept()).toEqual(before)
    await expect.poll(trials).toMatchObject([
      {
        ...{ agent: [agent, 'Helpdesk'], is_draft: true, kind: 'text', tool_calls: 1 },
        ...{ caller: null, partner: null, steps: null, ended_at: expect.any(String) },
      },
    ])
    await expect.poll(copies).toEqual([])
    barriers.push(...(await visitor.barriers()))
    expect(barriers).toEqual([])
    expect(await visitor.misdrawn()).toEqual([])
    expect(visitor.faults).toEqual([])
    expect(world.problems.all).toEqual([])
    await visitor.close()
  })

  it('the published version answers a chosen contact, and a trial ends with its page', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url, { language: 'de', width: 390 })
    const { page } = visitor
    await visitor.signIn('ada', `/agents/${agent}`)
    const talk = page.getByRole('region', { name: 'Mit ihm sprechen' })
    await talk.getByText('Veröffentlicht', { exact: true }).click()
    await talk.getByRole('combobox', { name: 'Anrufer' }).fill('Zoe')
    await page.getByRole('option', { name: 'Zoe Miller' }).click()
    await talk.getByRole('button', { name: 'Ihm schreiben' }).click()
    await talk.getByText('Good day Zoe Miller!').waitFor()
    await talk.getByText('Sie sprechen mit der veröffentlichten Version.').waitFor()
    expect(await visitor.misdrawn()).toEqual([])
    const [open] = await trials()
    expect(open).toMatchObject({ is_draft: false, caller: '+41313808316', ended_at: null })
    await visitor.visit('/agents')
    await expect.poll(async () => (await trials())[0]?.ended_at).toEqual(expect.any(String))

    await visitor.visit(`/agents/${agent}`)
    await talk.getByRole('textbox', { name: 'Nummer des Anrufers' }).fill('12')
    await talk.getByRole('button', { name: 'Ihm schreiben' }).click()
    await talk.getByRole('alert').getByText('„12“ ist keine Telefonnummer.').waitFor()
    expect(visitor.faults).toEqual([])
    expect(world.problems.all).toEqual([])
    await visitor.close()
  })

  it('a conversation by voice sends what the microphone hears, and without one the page says so', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const deaf = await Visitor.open(browser, world.app.url)
    await deaf.signIn('ada', `/agents/${agent}`)
    const silent = deaf.page.getByRole('region', { name: 'Talk to it' })
    await silent.getByRole('button', { name: 'Speak with it' }).click()
    await silent
      .getByRole('alert')
      .getByText(/or write instead\.$/)
      .waitFor()
    expect(await trials()).not.toContainEqual(expect.objectContaining({ kind: 'voice' }))
    expect(await deaf.barriers()).toEqual([])
    expect(deaf.faults).toEqual([])
    await deaf.close()

    const hearing = await openBrowser({ hasMicrophone: true })
    const visitor = await Visitor.open(hearing, world.app.url)
    const { page } = visitor
    const sent: string[] = []
    page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
    await visitor.signIn('ada', `/agents/${agent}`)
    const talk = page.getByRole('region', { name: 'Talk to it' })
    await talk.getByRole('button', { name: 'Speak with it' }).click()
    await talk.getByText('Welcome Not registered!').waitFor()
    await talk.getByText(/Your microphone is on\.$/).waitFor()
    const isHeard = (frame: string) => /[^A/=]/.test(String(JSON.parse(frame).user_audio_chunk ?? ''))
    await expect.poll(() => sent.some(isHeard)).toBe(true)
    expect(sent[0]).toContain('"conversation_initiation_client_data"')
    await page.keyboard.type('Hello?')
    await page.keyboard.press('Enter')
    await talk.getByText(/^I'm sorry, I don't have that information\./).waitFor()
    await talk.getByRole('button', { name: 'End', exact: true }).click()
    await talk.getByText(/^The conversation is over\./).waitFor()
    await expect.poll(async () => (await trials())[0]).toMatchObject({ kind: 'voice', ended_at: expect.any(String) })
    expect(visitor.faults).toEqual([])
    expect(world.problems.all).toEqual([])
    await hearing.close()
  })

  it('a tool is tried by itself, and what it does is kept only when it is for real', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await aCall(world.app)
    const before = await kept()
    await visitor.signIn('ada', `/agents/${agent}`)
    const tools = page.getByRole('region', { name: 'Tools' })
    expect(await tools.getByRole('button', { name: 'Try: End the call' }).count()).toBe(0)
    await tools.getByRole('button', { name: 'Try: Open a ticket' }).click()
    const dialog = page.getByRole('dialog', { name: 'Try: Open a ticket' })
    await dialog.getByRole('textbox', { name: /^subject/ }).fill('Leaking boiler')
    await dialog.getByRole('button', { name: 'Try', exact: true }).click()
    const result = dialog.getByRole('region', { name: 'Result' })
    await result.getByText(/^Done in \d+ ms\. Nothing was saved\.$/).waitFor()
    const barriers = await visitor.barriers()
    expect(await kept()).toEqual(before)
    await dialog.getByRole('switch', { name: 'For real' }).click()
    await dialog.getByRole('button', { name: 'Run for real' }).click()
    // A ticket for real is one of a call.
    await result.getByText(/^Declined \(400\) after \d+ ms\. Nothing was saved\.$/).waitFor()
    await dialog.getByRole('combobox', { name: 'In which call' }).click()
    await page.getByRole('option').first().click()
    await dialog.getByRole('button', { name: 'Run for real' }).click()
    await result.getByText(/^Done in \d+ ms\. What the tool did is saved\.$/).waitFor()
    expect(await kept()).toMatchObject({ tickets: (before?.tickets ?? 0) + 1 })
    barriers.push(...(await visitor.barriers()))
    expect(barriers).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a Connect user has nothing to try an agent with', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('eve', `/agents/${agent}`)
    await page.getByRole('region', { name: 'Last conversations' }).waitFor()
    expect(await page.getByRole('region', { name: 'Talk to it' }).count()).toBe(0)
    expect(await page.locator('#page').getByRole('button').count()).toBe(0)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
