// One call in a browser: why it ended and what mends it, and what was said, heard where it was said.
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answers, declines, hangUp, hear, meanwhile, person, say } from '../../emulators/people.ts'
import { SCENARIOS } from '../../emulators/scenarios/catalogue.ts'
import { addressOf } from '../../emulators/scenarios/company.ts'
import { several } from '../../emulators/scenarios/expectation.ts'
import { synchronise } from '../../emulators/scenarios/prepare.ts'
import { runScenario, type Scenario } from '../../emulators/scenarios/scenario.ts'
import { startWorld, type TestWorld } from '../emulators/scenario-world.ts'
import { aPhoneUser } from '../fixtures/records.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { insertRow } from '../support/rows.ts'
import { eventually } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const PLAYED = ['agent-helpdesk', 'agent-unreachable', 'missed-call']
const HELPED = '+14155550210'
const UNREACHED = '+14155550223'
const MISSED = '+14155550214'
const NIGHT_NUMBER = '+14155550123'
/** A number as it is written, with or without the spaces that come as soon as the page knows its groups. */
const spaced = (number: string) => number.slice(1).replaceAll(/\d/g, '\\s?$&').replace(/^/, '\\+')
const WAIT_MS = 100_000
/** Ada's own telephone. */
const EXTENSION = '150'
const ADA_PHONE = { username: 'ada' }

const NORA = { name: 'Nora Quill', username: 'nora', phones: ['web'], voicemail: '{{user.name}} is out.' } as const
const NORAS_NUMBER = '+14155550127'
/** No number, in whichever way that is stored. */
const isNobody = (caller: unknown) => caller === null || caller === '' || caller === 'anonymous'
/** Two callers who withhold their numbers: what the one is told says nothing of the other. */
const WITHHELD: Scenario = {
  name: 'withheld',
  title: 'Somebody leaves a message without a number, and the next one without a number is answered',
  company: { people: [NORA], numbers: [{ number: NORAS_NUMBER, leadsTo: NORA.name }] },
  async play({ call, phone }) {
    phone(addressOf(NORA, 'web'), declines, answers([say('Nora Quill.'), hear('somebody else'), hangUp()]))
    const leaves = [hear('nora quill is out'), hear('(beep)'), say('Please ring my sister back.', 3), hangUp()]
    await call({ from: 'anonymous', to: NORAS_NUMBER, acts: leaves })
    await call({ from: 'anonymous', to: NORAS_NUMBER, acts: [hear('nora quill'), say('I am somebody else.')] })
  },
  expects: [
    several(2, 'connect.call', { called: NORAS_NUMBER }, { direction: 'incoming', partner: null, caller: isNobody }),
  ],
}

let world: TestWorld
let browser: Browser

beforeAll(async () => {
  world = await startWorld({}, { PAGE: 'on' })
  await firstAdministrator(world.app, 'ada')
  await world.app.admin.ask('connect.settings', 'write', { ids: [1], vals: { voiceai_send_audio: true } })
  await synchronise(world.service, 'voiceai')
  for (const scenario of SCENARIOS.filter(({ name }) => PLAYED.includes(name))) {
    expect((await runScenario(scenario, world)).complaints).toEqual([])
  }
  await giveAdaAPhone()
  await pageIsBuilt(world.app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await world.stop()
})

async function giveAdaAPhone(): Promise<void> {
  const { admin } = world.app
  const find = async (model: string, domain: unknown[]) =>
    (await admin.ask<number[]>(model, 'search', { domain, order: 'id', limit: 1 }))[0]
  const user = await find('res.users', [['login', '=', 'ada']])
  const domain = await find('connect.telco.domain', [])
  const id = await admin.ask<number>('connect.user', 'create', {
    vals_list: { user, domain, ...ADA_PHONE, client_enabled: true },
  })
  await admin.ask('connect.telco.exten', 'create', { vals_list: { number: EXTENSION, dst: `connect.user,${id}` } })
}

async function callFrom(caller: string): Promise<number> {
  const [id] = await world.app.admin.ask<number[]>('connect.call', 'search', {
    domain: [['caller', '=', caller]],
    order: 'id desc',
    limit: 1,
  })
  return id ?? 0
}

describe('the page of a call', { timeout: 3 * BROWSER_MS }, () => {
  it('says why an agent was not reached, and leads to what mends it; then the agent answers', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', `/calls/${await callFrom(UNREACHED)}`)
    const why = page.getByRole('region', { name: 'What happened' })
    await why.getByText('The voice agent Night desk could not be reached: ElevenLabs no longer has it.').waitFor()
    await page.getByText('Agent not reached').waitFor()
    await why.getByText(/^\d+ steps?$/).click()
    await why.getByRole('button', { name: /^Night desk: failed: not found/ }).click()
    await page.waitForURL(/open=\d+/)
    expect(await visitor.barriers()).toEqual([])
    await why.getByRole('link', { name: 'Sync voice agents to recreate this one.' }).click()
    await page.waitForURL(/\/settings\/synchronise\?provider=voiceai/)
    const mending = page.getByRole('region', { name: 'The call you came from' })
    await mending.getByText('Press “Sync now” for the voice agents below to fix it.').waitFor()
    expect(await visitor.barriers()).toEqual([])
    await page.getByRole('region', { name: 'Voice agents' }).getByRole('button', { name: 'Sync now' }).click()
    await mending.getByText('Fixed: the voice agents are in sync again.').waitFor({ timeout: WAIT_MS })
    await mending.getByRole('link', { name: 'Back to the call' }).click()
    await why
      .getByText(new RegExp(`^Synced since then, so this should work now\\. Call ${spaced(NIGHT_NUMBER)} to check\\.`))
      .waitFor()
    expect(await why.getByRole('link', { name: /^Sync/ }).count()).toBe(0)
    await world.telco.call({ from: UNREACHED, to: NIGHT_NUMBER, acts: [hear('hello')] })
    const again = await eventually(async () => {
      const id = await callFrom(UNREACHED)
      const [call] = await world.app.admin.ask<{ outcome: string }[]>('connect.call', 'read', {
        ids: [id],
        fields: ['outcome'],
      })
      return call?.outcome === 'agent' ? id : undefined
    }, WAIT_MS)
    await visitor.go(`/calls/${again}`)
    await page.getByText('With Night desk').waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a sentence is heard where it was said, and the next moment is the tool with its time', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    const call = await callFrom(HELPED)
    await eventually(async () => {
      const { audio } = await world.app.admin.ask<{ audio: { address: string | null }[] }>('connect.call', 'timeline', {
        ids: [call],
      })
      return audio.some(({ address }) => address !== null) ? true : undefined
    }, WAIT_MS)
    await visitor.signIn('ada', `/calls/${call}`)
    await page.getByText('ended the call after booking a visit.').waitFor()
    await page.getByText('No follow-up needed.').waitFor()
    await page.getByRole('button', { name: /My boiler leaks\./ }).click()
    await page.waitForURL(/[?&]at=7(?:&|$)/)
    // The browser notes itself which part was played, whenever it is asked.
    const began = await eventually(
      () =>
        page.evaluate(() => {
          const played = document.querySelector('audio')?.played
          return played === undefined || played.length === 0 ? undefined : String(played.start(0))
        }),
      WAIT_MS,
    )
    expect(Math.abs(Number(began) - 7)).toBeLessThanOrEqual(0.3)
    await page.keyboard.press('p')
    await page.getByRole('button', { name: 'Play' }).waitFor()
    const cursor = Number(await page.locator('[data-at]').getAttribute('data-at'))
    expect(cursor).toBeGreaterThanOrEqual(7_000)
    await page.keyboard.press('.')
    const tool = page.getByRole('listitem').filter({ hasText: 'Open a ticket' }).first()
    await tool.getByText('Leaking boiler', { exact: false }).first().waitFor()
    await tool.getByText(/\d+ ms of 20 s/).waitFor()
    expect(await visitor.barriers()).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it("a missed call says what happened, and is called back from there by one's own phone", async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const backs = [
      ['called', '=', MISSED],
      ['direction', '=', 'outgoing'],
    ]
    expect(await world.app.admin.ask('connect.call', 'search_count', { domain: backs })).toBe(0)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    const missed = await callFrom(MISSED)
    await visitor.signIn('ada', `/calls/${missed}`)
    const why = page.getByRole('region', { name: 'What happened' })
    await why.getByText(new RegExp(`Call ${spaced(MISSED)} back\\.`)).waitFor()
    const dial = why.getByRole('button', { name: new RegExp(`^Call ${spaced(MISSED)}$`) })
    // Nobody is signed in at the web phone yet: that it could not be reached is said wherever one is by then.
    await dial.click()
    await page.getByRole('link', { name: 'Now', exact: true }).click()
    const failed = page.locator('.mantine-Notification-root').filter({ hasText: 'could not be reached' })
    await failed.getByText(new RegExp(`so the call to ${spaced(MISSED)} was not made`)).waitFor()
    await failed.getByRole('button', { name: 'Show call' }).click()
    await why.getByText(/could not be reached/).waitFor()
    await visitor.visit(`/calls/${missed}`)
    const [picksUp, answered] = [answers([hear('yara'), hangUp()]), answers([say('Yara Novak.'), hear('never said')])]
    world.telco.connect(addressOf(ADA_PHONE, 'web'), person('Ada', world.problems, [picksUp]))
    world.telco.connect(MISSED, person('Yara', world.problems, [answered]))
    await dial.click()
    await page.getByText(new RegExp(`Your web phone rings first, then ${spaced(MISSED)}\\.`)).waitFor()
    const made = await eventually(async () => {
      const domain = [...backs, ['status', '=', 'completed']]
      const found = await world.app.admin.ask<object[]>('connect.call', 'search_read', { domain, fields: ['partner'] })
      return found[0]
    })
    expect(made).toMatchObject({ partner: [expect.any(Number), 'Yara Novak'] })
    expect(await visitor.barriers()).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a number that nobody knows yet is called and written to from the search, by those with a phone', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    const search = page.getByRole('dialog').getByRole('textbox')
    const offered = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })
    await page.getByRole('region', { name: 'Call back' }).waitFor()
    await page.keyboard.press('/')
    await search.fill('+41 79 555 01 99')
    await offered('Call +41 79 555 01 99').waitFor()
    await offered('Message +41 79 555 01 99').click()
    await page.waitForURL(/\/messages\?to=/)
    expect(await page.getByRole('textbox', { name: 'Number', exact: true }).inputValue()).toBe('+41795550199')
    await visitor.go('/now')
    await page.getByRole('region', { name: 'Call back' }).waitFor()
    await page.keyboard.press('/')
    await search.fill('+41 79 555')
    await page.getByText(/^Tickets with/).waitFor()
    expect(
      await page
        .getByRole('dialog')
        .getByText(/^(?:Call|Message) \+/)
        .count(),
    ).toBe(0)
    await search.fill('+41 79 555 01 99')
    await offered('Call +41 79 555 01 99').click()
    await page.getByText(/Your web phone rings first, then \+41\s79\s555\s01\s99\./).waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it("a call from one's own phone follows on its page: it says that it is recorded, and offers nothing one has already", async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const customer = '+14155550231'
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const details = page.getByRole('complementary', { name: 'Details' })
    const failures: unknown[] = []
    let looks = 0
    const look = meanwhile(async () => {
      looks += 1
      const [id] = await world.app.admin.ask<number[]>('connect.call', 'search', {
        domain: [['called', '=', customer]],
      })
      await visitor
        .go(`/calls/${id}`)
        .then(async () => {
          await page.getByText('Being recorded').waitFor()
          await details
            .getByText(/on the line/)
            .first()
            .waitFor()
          expect(await button('Take over').count()).toBe(0)
          await button('■ Stop recording').click()
          await button('● Record').waitFor()
          expect(await page.getByText('Being recorded').count()).toBe(0)
          expect(await visitor.barriers()).toEqual([])
        })
        .catch((error) => void failures.push(error))
    })
    const picksUp = answers([hear('willa'), look, hangUp()])
    world.telco.connect(addressOf(ADA_PHONE, 'web'), person('Ada', world.problems, [picksUp]))
    world.telco.connect(customer, person('Willa', world.problems, [answers([say('Willa.'), hear('never said')])]))
    await visitor.signIn('ada', '/contacts')
    await page.evaluate(async (number) => {
      const headers = { 'content-type': 'application/json' }
      await fetch('/json/2/connect.user/originate', { method: 'POST', headers, body: JSON.stringify({ number }) })
    }, customer)
    await details.getByText(/ended/).first().waitFor({ timeout: WAIT_MS })
    expect(await details.getByText(/on the line|ringing/).count()).toBe(0)
    expect([failures, looks]).toEqual([[], 1])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('where one’s own phone cannot ring, the call says why in place of the button', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const call = await insertRow(world.app.db, 'connect_call', {
      ...{ caller: MISSED, called: NIGHT_NUMBER, direction: 'incoming', status: 'no-answer' },
    })
    const keyless = { features: { web_phones: false }, phone: {} }
    for (const [language, { features, phone }, said] of [
      ['en', keyless, 'the settings have no Twilio API key.'],
      ['de', keyless, 'In den Einstellungen fehlt der Twilio-API-Schlüssel.'],
      ['en', { features: {}, phone: { calls_from: 'sip', rings: [] } }, 'it has no password yet.'],
      ['en', { features: {}, phone: { calls_from: null, rings: ['mobile'] } }, 'Calls reach your mobile.'],
      ['de', { features: {}, phone: { calls_from: null, rings: ['mobile'] } }, 'Anrufe erreichen Ihr Mobiltelefon.'],
    ] as const) {
      const visitor = await Visitor.open(browser, world.app.url, { language })
      const { page } = visitor
      await page.route('**/api/me', async (route) => {
        const answer = await route.fetch()
        const me = (await answer.json()) as { features: object; phone: object }
        const json = { ...me, features: { ...me.features, ...features }, phone: { ...me.phone, ...phone } }
        await route.fulfill({ response: answer, json })
      })
      await visitor.signIn('ada', `/calls/${call}`)
      await page.getByText(said, { exact: false }).waitFor()
      expect(await page.getByRole('button', { name: /Call back|Zurückrufen|^Call \+|anrufen$/ }).count()).toBe(0)
      // A mobile calls by itself.
      const isMobileAlone = said.includes('mobile') || said.includes('Mobiltelefon')
      expect((await page.locator(`a[href="tel:${MISSED}"]`).count()) > 0).toBe(isMobileAlone)
      expect([...(await visitor.misdrawn()), ...(await visitor.barriers()), ...visitor.faults]).toEqual([])
      await visitor.close()
    }
  })

  it('the page of a call names first who called, also where that was us', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const call = await insertRow(world.app.db, 'connect_call', {
      ...{ caller: NIGHT_NUMBER, called: MISSED, direction: 'outgoing', status: 'completed' },
    })
    const visitor = await Visitor.open(browser, world.app.url)
    await visitor.signIn('ada', `/calls/${call}`)
    const line = visitor.page.locator('main p').filter({ hasText: '→' }).first()
    await expect
      .poll(async () => (await line.innerText()).replaceAll(/\s+/g, ' '))
      .toMatch(new RegExp(`${spaced(NIGHT_NUMBER)} → .*${spaced(MISSED)}`))
    await visitor.close()
  })

  it('a caller who is no contact yet is saved as one from the page of the call, which is theirs then', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const caller = '+14155550288'
    const earlier = await insertRow(world.app.db, 'connect_call', {
      ...{ caller, called: NIGHT_NUMBER, direction: 'incoming', status: 'no-answer' },
    })
    const call = await insertRow(world.app.db, 'connect_call', {
      ...{ caller, called: NIGHT_NUMBER, direction: 'incoming', status: 'completed' },
    })
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', `/calls/${call}`)
    await page.getByRole('button', { name: 'Save as contact' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Mia Keller')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Mia Keller', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Save as contact' }).waitFor({ state: 'detached' })
    const fields = ['name', 'phone_normalized', 'connect_calls_count']
    const domain = [['phone', '=', caller]]
    expect(await world.app.admin.ask('res.partner', 'search_read', { domain, fields })).toMatchObject([
      { name: 'Mia Keller', phone_normalized: caller, connect_calls_count: 1 },
    ])
    // The page of a call from before says whose number it is, and the contact has both calls.
    await visitor.visit(`/calls/${earlier}`)
    await page.getByRole('link', { name: 'Mia Keller' }).click()
    await page.getByRole('link', { name: 'Calls 2' }).click()
    await expect.poll(() => page.locator(`main ol a[href$="/calls/${earlier}"]`).count()).toBe(1)
    await page.goBack()
    await page.goBack()
    expect(await page.getByRole('button', { name: 'Save as contact' }).count()).toBe(0)
    expect(await visitor.barriers()).toEqual([])
    await visitor.close()
  })

  it('a call that goes on is recorded, taken over and ended from its page', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada')
    const caller = '+14155550224'
    // Whatever became of the agent before, it is there now.
    await synchronise(world.service, 'voiceai')
    await aPhoneUser(world.app, { name: 'Bo Long', extension: '701' })
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
    const whileWithAgent = async (): Promise<void> => {
      await eventually(async () => ((await callFrom(caller)) > 0 ? true : undefined), WAIT_MS)
      await visitor.go(`/calls/${await callFrom(caller)}`)
      await button('● Record').click()
      await button('■ Stop recording').waitFor()
      await button('Forward').click()
      await page.getByRole('combobox', { name: 'Extension or number' }).press('ArrowDown')
      const offered = page.getByRole('listbox', { name: 'Extension or number' })
      await offered.getByRole('option', { name: /Bo Long/ }).waitFor()
      expect(await offered.getByRole('option', { name: /Ada/ }).count()).toBe(0)
      const inside = await offered.evaluate((list) => {
        const { bottom, left, top } = list.getBoundingClientRect()
        return bottom <= window.innerHeight && list.contains(document.elementFromPoint(left + 20, top + 20))
      })
      expect(inside).toBe(true)
      await page.getByRole('combobox', { name: 'Extension or number' }).fill('998')
      await page.getByRole('dialog').getByRole('button', { name: 'Forward' }).click()
      await page.getByText('There is no extension 998').waitFor()
      expect(await visitor.barriers()).toEqual([])
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await visitor.go('/now')
      await button(/^Take over .*555.0224/).click()
      await page.getByText('Your phone rings with this call.').waitFor()
    }
    const whileWithAda = async (): Promise<void> => {
      await visitor.go(`/calls/${await callFrom(caller)}`)
      await button('Hang up').click()
      await page.getByText("Everyone on the line is disconnected. This can't be undone.").waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Hang up' }).click()
      await page.getByText('Call ended').waitFor()
    }
    const reaction = answers([say('Ada speaking.'), hear('never said')])
    world.telco.connect(addressOf(ADA_PHONE, 'web'), person('Ada', world.problems, [reaction]))
    const failures: unknown[] = []
    let looks = 0
    const look = (work: () => Promise<void>) =>
      meanwhile(async () => {
        looks += 1
        await work().catch((error) => void failures.push(error))
      })
    const acts = [hear('hello'), look(whileWithAgent), hear('ada speaking'), look(whileWithAda), hear('never said')]
    await world.telco.call({ from: caller, to: NIGHT_NUMBER, acts }).catch((error) => void failures.push(error))
    expect([failures, looks]).toEqual([[], 2])
    await eventually(async () => {
      const [row] = await world.app.admin.ask<{ outcome: string }[]>('connect.call', 'read', {
        ids: [await callFrom(caller)],
        fields: ['outcome'],
      })
      return row?.outcome === 'agent_person' ? true : undefined
    }, WAIT_MS)
    // What the page says is what the provider reports; afterwards one calls back.
    await button('Call back').waitFor()
    await page.getByText(/Night desk → Ada/).waitFor()
    expect(visitor.faults).toEqual([])
    world.problems.clear()
    await visitor.close()
  })

  it('a summary is written, and nothing is lost when somebody else was faster', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    const call = await callFrom(HELPED)
    await visitor.signIn('ada', `/calls/${call}`)
    const about = page.getByRole('complementary', { name: 'Details' })
    await about.getByRole('button', { name: 'Edit summary' }).click()
    await about.getByRole('textbox', { name: 'Summary' }).fill('The boiler <b>leaks</b>.\nA visit is booked.')
    await about.getByRole('button', { name: 'Save' }).click()
    await about.getByText('The boiler <b>leaks</b>.', { exact: true }).waitFor()
    await about.getByRole('button', { name: 'Edit summary' }).click()
    const box = about.getByRole('textbox', { name: 'Summary' })
    expect(await box.inputValue()).toBe('The boiler <b>leaks</b>.\nA visit is booked.')
    await box.fill('Mine.')
    await world.app.admin.ask('connect.call', 'write', { ids: [call], vals: { summary: '<p>Theirs.</p>' } })
    await about.getByRole('button', { name: 'Save' }).click()
    await about.getByRole('alert').getByText('Theirs.').waitFor()
    expect(await box.inputValue()).toBe('Mine.')
    expect(await visitor.barriers()).toEqual([])
    await about.getByRole('radio', { name: /^You: / }).check()
    await about.getByRole('button', { name: 'Save this choice' }).click()
    await box.waitFor({ state: 'detached' })
    await about.getByText('Mine.', { exact: true }).waitFor()
    await eventually(async () => {
      const [row] = await world.app.admin.ask<{ summary: string }[]>('connect.call', 'read', {
        ids: [call],
        fields: ['summary'],
      })
      return row?.summary.includes('Mine.') ? true : undefined
    })
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a delivery behind a moment is compared and replayed there; on a telephone it opens as a sheet', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const call = await callFrom(HELPED)
    const { moments } = await world.app.admin.ask<{ moments: { kind: string; delivery?: number; has_raw: boolean }[] }>(
      'connect.call',
      'timeline',
      { ids: [call] },
    )
    const place = moments.findIndex(({ delivery, has_raw: hasRaw }) => delivery !== undefined && hasRaw)
    expect(place).toBeGreaterThanOrEqual(0)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada')
    await visitor.go(`/calls/${call}?open=${place}`)
    await page.getByRole('button', { name: 'Compare with now' }).click()
    await page
      .getByRole('region', { name: 'Compare with now' })
      .getByText(/^[=≠] /)
      .waitFor()
    await page.getByRole('button', { name: 'Replay' }).waitFor()
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
    const narrow = await Visitor.open(browser, world.app.url, { width: 375, height: 700 })
    await narrow.signIn('ada', `/calls/${call}`)
    await narrow.page
      .getByRole('listitem')
      .filter({ hasText: 'Open a ticket' })
      .first()
      .getByRole('button')
      .first()
      .click()
    const sheet = narrow.page.getByRole('dialog')
    await sheet.getByText('Leaking boiler', { exact: false }).first().waitFor()
    expect(await narrow.isTooWide()).toBe(false)
    expect(await narrow.barriers()).toEqual([])
    await narrow.page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    expect(narrow.faults).toEqual([])
    await narrow.close()
  })

  it('a caller who withholds their number is shown in words, without a number to dial, copy or write to, and stays to be called back', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    // Of stories before it.
    world.problems.clear()
    expect((await runScenario(WITHHELD, world)).complaints).toEqual([])
    const [answered = 0, left = 0] = await world.app.admin.ask<number[]>('connect.call', 'search', {
      domain: [['called', '=', NORAS_NUMBER]],
      order: 'id desc',
    })
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada')
    const withoutNumber = async (place: Locator) => {
      await place.getByText('Number withheld').first().waitFor()
      expect(await place.getByText(/anonymous/i).count()).toBe(0)
      expect(
        await place.getByRole('button', { name: /^(?:Call|Copy|Text|Write|Message)\b.*withheld|anonymous/i }).count(),
      ).toBe(0)
      expect(await place.locator('a[href^="tel:"], a[href^="sms:"], a[href*="/messages/"]').count()).toBe(0)
    }
    const waiting = page.getByRole('region', { name: 'Call back' })
    const line = waiting.getByRole('listitem').filter({ hasText: 'Number withheld' })
    await withoutNumber(line)
    expect(await line.count()).toBe(1)
    await line.getByRole('button', { name: /^Play/ }).waitFor()
    expect(await line.getByRole('button').count()).toBe(2)
    await line.getByRole('link').first().click()
    await page.waitForURL(`**/calls/${left}`)
    for (const id of [left, answered]) {
      await visitor.go(`/calls/${id}`)
      await page.getByRole('heading', { name: 'Number withheld' }).waitFor()
      await withoutNumber(page.getByRole('main'))
    }
    await visitor.go('/calls')
    const rows = page.locator('[role="row"][data-row]').filter({ hasText: 'Number withheld' })
    await rows.first().waitFor()
    expect(await rows.count()).toBe(2)
    for (const row of await rows.all()) await withoutNumber(row)
    await visitor.go('/now')
    await line.getByRole('button', { name: 'Done: Number withheld' }).click()
    await line.waitFor({ state: 'detached' })
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('the list offers to call back where nobody answered, at every width and under a heading of its own', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    for (const { width, language, seesTickets } of [
      { width: 1280, language: 'en', seesTickets: true },
      { width: 768, language: 'de', seesTickets: false },
      { width: 768, language: 'en', seesTickets: true },
      { width: 375, language: 'de', seesTickets: true },
    ] as const) {
      const visitor = await Visitor.open(browser, world.app.url, { width, language })
      const { page } = visitor
      await page.route('**/api/me', async (route) => {
        const answer = await route.fetch()
        const me = (await answer.json()) as { access: Record<string, string> }
        const access = { ...me.access, ...(seesTickets ? {} : { 'helpdesk.ticket': '' }) }
        await route.fulfill({ response: answer, json: { ...me, access } })
      })
      await visitor.signIn('ada')
      await visitor.visit(`/calls?number=${encodeURIComponent(MISSED)}`)
      const button = page
        .getByRole('row')
        .getByRole('button', { name: new RegExp(spaced(MISSED)) })
        .first()
      await button.waitFor()
      const { x = 0, width: wide = 0 } = (await button.boundingBox()) ?? {}
      expect(x + wide).toBeLessThanOrEqual(width)
      const heads = await page.getByRole('columnheader').allInnerTexts()
      if (width > 375) {
        expect(heads).toContain(language === 'en' ? 'Call back' : 'Zurückrufen')
        expect(heads.includes('Ticket')).toBe(seesTickets)
      }
      expect(await visitor.isTooWide()).toBe(false)
      expect([...(await visitor.misdrawn()), ...(await visitor.barriers()), ...visitor.faults]).toEqual([])
      await visitor.close()
    }
  })

  it('fits a narrow window, a part at a time', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url, { width: 375, colorScheme: 'dark' })
    const { page } = visitor
    await visitor.signIn('ada', `/calls/${await callFrom(HELPED)}`)
    await page.getByRole('button', { name: 'Transcript' }).click()
    await page.getByText('My boiler leaks.').waitFor()
    expect(await page.getByRole('listitem').filter({ hasText: 'Open a ticket' }).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Details, notes' }).click()
    await page.getByRole('link', { name: /^#\d+ Leaking boiler/ }).waitFor()
    expect(await visitor.isTooWide()).toBe(false)
    expect(await visitor.barriers()).toEqual([])
    // The list says of each call when it was.
    await visitor.visit('/calls')
    const rows = page.getByRole('row').filter({ has: page.locator('time') })
    await rows.first().waitFor()
    expect(await visitor.isTooWide()).toBe(false)
    // Where no page is, its sentence is the title that a screen reader jumps to.
    await visitor.visit('/calls/999999999')
    await page.getByRole('heading', { name: 'Call not found, or not shared with you.' }).waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
