// The phone provider calls at an http:// address: somebody finds out why nobody is let in, mends it, and has the call recorded.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCENARIOS } from '../../emulators/scenarios/catalogue.ts'
import { runScenario } from '../../emulators/scenarios/scenario.ts'
import { sql } from '../../src/database/drizzle.ts'
import { startWorld, type TestWorld } from '../emulators/scenario-world.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { aVoiceRequest, sendTelco } from '../support/telco.ts'
import { eventually } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const NUMBER = '/telco/webhook/number'
const SID = `CA${'5'.repeat(32)}`
/** Click limit of the job "see a rejected delivery, read which setting is wrong, replay it". */
const CLICKS_MAX = 4

let world: TestWorld
let browser: Browser

beforeAll(async () => {
  world = await startWorld({}, { PAGE: 'on' })
  await firstAdministrator(world.app, 'ada')
  const settings: Record<string, unknown> = (await world.service.find('connect.settings', {})) ?? {}
  const { api_url: apiUrl, auth_token: token } = settings
  const url = `${String(apiUrl).replace('https://', 'http://')}${NUMBER}`
  await sendTelco(world.app, NUMBER, aVoiceRequest({ CallSid: SID }), { url, token: String(token) })
  await pageIsBuilt(world.app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await world.stop()
})

async function legs(): Promise<number> {
  return (await world.app.db.query(sql`select 1 from connect_channel where sid = ${SID}`)).length
}

function panel(page: Page) {
  return page.getByRole('complementary', { name: /^Webhook \d+$/ })
}

describe('deliveries', { timeout: BROWSER_MS }, () => {
  it('a call that was rejected says which setting is wrong, and is replayed, in four clicks', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada')
    let clicks = 0
    const click = async (part: ReturnType<Page['getByRole']>): Promise<void> => {
      clicks += 1
      await part.click()
    }
    await click(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' }))
    await click(page.getByRole('button', { name: /^Unverified/ }))
    await page.waitForURL(/verdict=rejected/)
    await click(page.getByRole('row', { name: /Incoming call/ }))
    await panel(page)
      .getByText(/Twilio calls an http:\/\/ address\. Sync with Twilio/)
      .waitFor()
    await panel(page)
      .getByText(/^http:\/\/.*\/telco\/webhook\/number$/)
      .waitFor()
    await click(panel(page).getByRole('button', { name: 'Replay' }))
    await page.getByText(/is processed again/).waitFor()
    expect(clicks).toBe(CLICKS_MAX)
    expect(await legs()).toBe(1)
    // It stands as made up for, and is none of those that wait for it.
    await panel(page)
      .getByText(/replayed/)
      .waitFor()
    await page.getByRole('row', { name: /Plain http · replayed/ }).waitFor()
    await page.getByRole('button', { name: 'Replay all' }).waitFor({ state: 'detached' })
    await panel(page).getByRole('button', { name: 'Replay' }).click()
    await eventually(
      async () =>
        (await world.app.admin.ask<number>('connect.audit', 'search_count', {
          domain: [
            ['model', '=', 'connect.delivery'],
            ['what', '=', 'replay'],
          ],
        })) === 2 || undefined,
    )
    expect(await legs()).toBe(1)
    expect(await visitor.barriers()).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('the addresses are pushed from there, the next call is handled, and an old delivery is the same', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    const [rejected] = await world.app.admin.ask<number[]>('connect.delivery', 'search', {
      domain: [
        ['verdict', '=', 'rejected'],
        ['route', '=', NUMBER],
      ],
    })
    await visitor.signIn('ada')
    await visitor.go(`/deliveries?open=${rejected}`)
    const runs = await world.app.admin.ask<number>('connect.sync_run', 'search_count', {})
    await panel(page).getByRole('button', { name: 'Fix' }).click()
    await page.getByText('Addresses sent to Twilio').waitFor()
    await eventually(async () => {
      const done = await world.app.admin.ask<number>('connect.sync_run', 'search_count', {
        domain: [['state', '=', 'done']],
      })
      return done > runs || undefined
    }, BROWSER_MS)
    const [scenario] = SCENARIOS.filter(({ name }) => name === 'missed-call')
    if (scenario === undefined) throw new Error('there is no such scenario')
    expect((await runScenario(scenario, world)).complaints).toEqual([])
    const handled = await eventually(async () => {
      const [found] = await world.app.admin.ask<number[]>('connect.delivery', 'search', {
        domain: [
          ['verdict', '=', 'handled'],
          ['route', '=', '/telco/webhook/callstatus'],
        ],
        order: 'id desc',
        limit: 1,
      })
      return found
    })
    await visitor.go(`/deliveries?open=${handled}`)
    await panel(page).getByRole('button', { name: 'Compare with now' }).click()
    await panel(page).getByText('= Same answer').waitFor()
    // The verdict is called what it is called in the list.
    await panel(page).getByRole('heading', { name: 'Then OK 200' }).waitFor()
    expect(await visitor.barriers()).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('the head says what became of the last hour, and a tool how fast it answered', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    const name = 'helpdesk_create_ticket'
    await world.app.db.query(
      sql`insert into connect_delivery (area, route, verdict, tool, ms, budget_ms, received_at, create_date, write_date)
          values ('voiceai', '/connect_voiceai/create_ticket', 'refused', ${name}, 31, 20000,
            now() at time zone 'utc' - interval '1 minute', now(), now())`,
    )
    const [tool] = await world.app.admin.ask<number[]>('connect.voiceai_agent_tool', 'search', {
      domain: [['name', '=', name]],
    })
    await visitor.signIn('ada', '/deliveries')
    await page.getByRole('button', { name: /^Declined [1-9]/ }).waitFor()
    await page.getByText(/Median \d+ ms/).waitFor()
    await visitor.go(`/records/connect.voiceai_agent_tool/${tool}`)
    const figures = page.getByRole('region', { name: 'Tools, last 7 days' })
    await figures.getByText(/[1-9]\d* errors?/).waitFor()
    await figures.getByText(/95th percentile \d+ ms of 20 s/).waitFor()
    expect(await visitor.barriers()).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a webhook that a stranger made is not offered to be replayed', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const form = aVoiceRequest({ CallSid: `CA${'f'.repeat(32)}`, To: '+14155550110' })
    await sendTelco(world.app, '/telco/webhook/number', form, { token: 'not the token' })
    const id = await eventually(async () => {
      const [row] = await world.app.db.query<{ id: number }>(
        sql`select id from connect_delivery where body like ${`%${form.CallSid}%`}`,
      )
      return row?.id
    })
    const visitor = await Visitor.open(browser, world.app.url)
    await visitor.signIn('ada')
    await visitor.visit(`/deliveries?verdict=rejected&open=${id}`)
    await panel(visitor.page).getByRole('button', { name: 'Compare with now' }).waitFor()
    expect(await panel(visitor.page).getByRole('button', { name: 'Replay' }).count()).toBe(0)
    expect(visitor.faults).toEqual([])
    await world.app.db.query(sql`delete from connect_delivery where id = ${id}::bigint`)
    await visitor.close()
  })

  it('what is stored and what waits can be looked at on a telephone too', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url, { width: 375, colorScheme: 'dark' })
    const { page } = visitor
    const { platform } = world.app.app
    await world.app.db.transaction((tx) =>
      platform.enqueue(tx, { name: 'clean-up', payload: {}, delaySeconds: 86_400 }),
    )
    await visitor.signIn('ada')
    for (const route of [
      '/deliveries',
      '/deliveries?verdict=rejected&since=hour',
      '/deliveries/inbox',
      '/deliveries/jobs',
    ]) {
      await visitor.go(route)
      await page.locator('main h1').first().waitFor()
      await page.waitForLoadState('networkidle')
      expect([route, await visitor.barriers(), await visitor.isTooWide()]).toEqual([route, [], false])
    }
    await world.app.db.query(sql`insert into connect_inbox (kind, state, received_at, attempts) values
      ('voiceai.post_call', 'done', now() at time zone 'utc', 1), ('telco.event', 'done', now() at time zone 'utc', 1)`)
    await visitor.go('/deliveries/inbox')
    await page.getByRole('link', { name: 'Report from Twilio' }).first().waitFor()
    const stored = await page.getByRole('list', { name: 'Inbox' }).innerText()
    expect(stored).toContain('Conversation from ElevenLabs')
    expect(stored).not.toMatch(/voiceai\.|telco\.|\d:\d\d:\d\d/)
    await world.app.db.query(sql`delete from connect_delivery where verdict = 'failed'`)
    await visitor.go('/deliveries?verdict=failed')
    await page.getByText('No results.').waitFor()
    expect(await page.getByRole('button', { name: 'Replay all' }).count()).toBe(0)
    await visitor.go('/records/connect.delivery/new')
    await page.getByText('Nothing can be added here').waitFor()
    expect(await page.locator('main fieldset').count()).toBe(0)
    expect(await visitor.barriers()).toEqual([])
    await world.app.db.query(sql`update connect_delivery set replayed_at = null`)
    await visitor.go('/deliveries?verdict=rejected')
    await page.getByRole('button', { name: 'Replay all' }).click()
    const question = page.getByRole('dialog', { name: 'Replay all?' })
    await question.getByText(/^1 webhook is checked\. If its signature proves right/).waitFor()
    await question.getByRole('button', { name: 'Check and replay' }).waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    await visitor.go('/deliveries/jobs')
    const job = page.getByRole('listitem').filter({ hasText: 'Clean up' })
    await job.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await job.waitFor({ state: 'detached' })
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
