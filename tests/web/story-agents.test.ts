// The page of a voice agent: its prompt is changed as a draft, published after seeing the difference, and restored.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aVoiceAgent } from '../fixtures/records.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { TestApp } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, PASSWORD, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const AGENT = 'connect.voiceai_agent'
const TEMPLATE = 'connect.message_content_template'

let app: TestApp
let browser: Browser
let agent: number

beforeAll(async () => {
  app = await TestApp.start({ env: { PAGE: 'on' } })
  await firstAdministrator(app, 'ada')
  agent = await aVoiceAgent(app, 'agent_1')
  await app.admin.ask(AGENT, 'write', { ids: [agent], vals: { name: 'Helpdesk', prompt: 'You help callers.' } })
  const groups = await app.groupIds(['connect.group_user', 'base.group_user'])
  await app.admin.ask('res.users', 'create', {
    vals_list: { login: 'eve', name: 'Eve', group_ids: groups, password: PASSWORD },
  })
  await pageIsBuilt(app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await app.stop()
})

async function stored(): Promise<{ prompt: string; name: string }> {
  const [row] = await app.admin.ask<{ prompt: string; name: string }[]>(AGENT, 'read', { ids: [agent] })
  return row ?? { prompt: '', name: '' }
}

describe('the page of a voice agent', { timeout: BROWSER_MS }, () => {
  it('a prompt is changed after seeing the difference in five clicks, and restored in four', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    const rail = page.getByRole('navigation', { name: 'Pages' })
    await rail.getByRole('link', { name: 'Agents' }).click()
    await page.getByRole('link', { name: /^Helpdesk/ }).click()
    await page.getByRole('heading', { name: 'Versions of the prompt' }).waitFor()
    const levels = await page.locator('h1, h2, h3').evaluateAll((all) => all.map(({ tagName }) => tagName))
    expect(levels.join(' ')).not.toMatch(/H1 H3/)
    const prompt = page.getByRole('textbox', { name: 'Prompt' })
    await prompt.click()
    await prompt.fill('You help callers of Miller & Sons.')
    const draft = page.getByRole('region', { name: 'Draft', exact: true })
    await draft.getByRole('button', { name: 'Review' }).click()
    await draft.locator('ins').getByText('of Miller & Sons.').waitFor()
    expect((await stored()).prompt).toBe('You help callers.')
    const barriers = await visitor.barriers()
    await draft.getByRole('button', { name: 'Publish' }).click()
    await draft.waitFor({ state: 'detached' })
    await page.getByText('Agent published. It is being sent to ElevenLabs.').waitFor()
    const newest = page.getByRole('region', { name: 'Versions of the prompt' }).getByRole('listitem').first()
    expect(await newest.innerText()).toMatch(/^v3\b.*\nIn use$/s)
    expect((await stored()).prompt).toBe('You help callers of Miller & Sons.')

    await rail.getByRole('link', { name: 'Agents' }).click()
    await page.getByRole('link', { name: /^Helpdesk/ }).click()
    const versions = page.getByRole('region', { name: 'Versions of the prompt' })
    const restore = versions.getByRole('button', { name: /^Restore v/ }).first()
    await restore.click()
    await page.getByText(/^Prompt v\d+ restored and published$/).waitFor()
    expect((await stored()).prompt).toBe('You help callers.')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('Change undone', { exact: true }).waitFor()
    expect((await stored()).prompt).toBe('You help callers of Miller & Sons.')
    await restore.click()
    await expect.poll(async () => (await stored()).prompt).toBe('You help callers.')

    // What keeps it from the platform stands on the page.
    await app.db.script(`update connect_voiceai_agent set sync_error = 'Bad key' where id = ${agent}`)
    await visitor.go(`/agents/${agent}`)
    await page.getByText(/^ElevenLabs doesn't have .*Bad key$/).waitFor()
    await page.getByRole('region', { name: 'Limits' }).getByText('More', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Name' }).waitFor()
    barriers.push(...(await visitor.barriers()))
    await visitor.go('/agents')
    await page.getByRole('link', { name: /^Helpdesk/ }).waitFor()
    barriers.push(...(await visitor.barriers()))
    expect(barriers).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a draft that somebody else was faster than shows the difference at once, below the title of the page', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', `/agents/${agent}`)
    const prompt = page.getByRole('textbox', { name: 'Prompt' })
    await prompt.fill('You help callers of Novak & Daughters.')
    const before = (await stored()).prompt
    await app.admin.ask(AGENT, 'write', { ids: [agent], vals: { prompt: 'You help all callers.' } })
    const draft = page.getByRole('region', { name: 'Draft', exact: true })
    await draft.getByRole('button', { name: 'Review' }).click()
    await draft.locator('ins').getByText('of Novak & Daughters.').waitFor()
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 700 })
      await page.locator('#page').evaluate((scrolled) => scrolled.scrollTo(0, 400))
      const [head, banner] = await Promise.all([page.locator('h1').boundingBox(), draft.boundingBox()])
      expect(banner?.y).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0))
      expect(head?.y).toBeGreaterThanOrEqual(0)
    }
    expect(await visitor.barriers()).toEqual([])
    await draft.getByRole('button', { name: 'Discard' }).click()
    await draft.waitFor({ state: 'detached' })
    await app.admin.ask(AGENT, 'write', { ids: [agent], vals: { prompt: before } })
    await visitor.close()
  })

  it('a draft that is discarded comes back by Undo, what is saved of it and what is only typed', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', `/agents/${agent}`)
    const draft = page.getByRole('region', { name: 'Draft', exact: true })
    const drafted = async () => {
      const args = { domain: [['agent', '=', agent]], fields: ['vals'] }
      const [row] = await app.admin.ask<{ vals: object }[]>(`${AGENT}_draft`, 'search_read', args)
      return row?.vals
    }
    const prompt = page.getByRole('textbox', { name: 'Prompt' })
    const greeting = page.getByRole('textbox', { name: 'Greeting', exact: true })
    await prompt.fill('Nine hundred words.')
    await draft.getByRole('button', { name: 'Review' }).click()
    await expect.poll(drafted).toEqual({ prompt: 'Nine hundred words.' })
    await greeting.fill('Good evening.')
    await draft.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('Draft discarded', { exact: true }).waitFor()
    await draft.waitFor({ state: 'detached' })
    expect(await drafted()).toBeUndefined()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await draft.waitFor()
    await expect.poll(drafted).toEqual({ prompt: 'Nine hundred words.' })
    await expect.poll(() => greeting.inputValue()).toBe('Good evening.')
    expect(await prompt.inputValue()).toBe('Nine hundred words.')
    await draft.getByRole('button', { name: 'Discard' }).click()
    await draft.waitFor({ state: 'detached' })
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('tools are found by the words that they are shown in, and by the name that the platform knows', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url, { language: 'de' })
    const { page } = visitor
    await visitor.signIn('ada', `/records/${AGENT}/${agent}`)
    const tools = page.getByRole('combobox', { name: 'Werkzeuge', exact: true })
    const offered = (name: string) => page.getByRole('option', { name, exact: true })
    await tools.click()
    await offered('Termin buchen').waitFor()
    await tools.fill('Ticket anl')
    await offered('Termin buchen').waitFor({ state: 'hidden' })
    await offered('Ticket anlegen').waitFor()
    await tools.fill('calendar_create')
    await offered('Termin buchen').click()
    await page.locator('#page').getByText('Termin buchen', { exact: true }).first().waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a greeting in another language is a row with its language by name, and no JSON', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    const greetings = async () => {
      const fields = ['first_message_translations']
      const [row] = await app.admin.ask<Record<string, unknown>[]>(AGENT, 'read', { ids: [agent], fields })
      return row?.first_message_translations
    }
    await visitor.signIn('ada', `/records/${AGENT}/${agent}`)
    const list = page.getByRole('group', { name: 'Greeting in other languages' })
    await list.getByRole('button', { name: /^Add/ }).click()
    const language = list.getByRole('combobox', { name: 'Language: 1' })
    await expect.poll(() => language.evaluate((input) => input === document.activeElement)).toBe(true)
    await list.getByRole('textbox', { name: 'Text: 1' }).fill('Guten Tag!')
    await list.getByText("Choose a language, or this text isn't saved.").waitFor()
    await language.click()
    await language.fill('Germ')
    await page.getByRole('option', { name: 'German', exact: true }).click()
    await list.getByRole('alert').waitFor({ state: 'detached' })
    expect(await visitor.barriers()).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(greetings).toEqual({ de: 'Guten Tag!' })
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('the set-up of another agent says what its number no longer reaches, and gives the number back', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const { ask } = app.admin
    const flow = await ask<number>('connect.telco.callflow', 'create', { vals_list: { name: 'Main menu' } })
    const hours = await ask<number>('connect.telco.business_hours', 'create', {
      vals_list: { name: 'Office', tz: 'Europe/Zurich' },
    })
    const number = await ask<number>('connect.telco.number', 'create', {
      vals_list: {
        ...{ phone_number: '+14155550150', destination: 'callflow', callflow: flow, business_hours: hours },
      },
    })
    const answers = async () => {
      const fields = ['destination', 'callflow', 'voiceai_agent', 'business_hours', 'closed_exten']
      const [row] = await ask<Record<string, [number, string] | string | null>[]>('connect.telco.number', 'read', {
        ids: [number],
        fields,
      })
      return Object.values(row ?? {}).map((value) => (Array.isArray(value) ? value[1] : value))
    }
    const before = await answers()
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/settings/set-up')
    await visitor.visit('/settings/set-up?step=number')
    const card = page.getByRole('region', { name: 'Your voice agent' })
    await card.getByRole('button', { name: 'Create another agent' }).click()
    await card.getByRole('combobox', { name: 'Which number does it answer?' }).click()
    await page.getByRole('option', { name: '+1 415 555 0150' }).click()
    await card.getByText('+1 415 555 0150 will no longer reach Main menu.').waitFor()
    expect(await card.getByText('gets these opening hours').count()).toBe(0)
    await card.getByRole('checkbox', { name: 'Monday' }).check()
    await card.getByText('+1 415 555 0150 gets these opening hours').waitFor()
    await card.getByRole('button', { name: 'Create agent' }).click()
    await page.getByText('created. It answers +1 415 555 0150 now.').waitFor()
    expect(await answers()).toContain('voiceai_agent')
    await page.getByRole('button', { name: 'Give the number back' }).click()
    await expect.poll(answers).toEqual(before)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a greeting that was changed is found again, in each language, and goes back into the draft', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const [german] = await app.admin.ask<{ id: number }[]>('res.lang', 'search_read', {
      domain: [['code', '=', 'de_DE']],
    })
    const long = 'Wir sind heute für Sie da. '.repeat(60).trim()
    const ids = [agent]
    await app.admin.ask(AGENT, 'write', {
      ids,
      vals: {
        additional_languages: [[6, 0, [german?.id]]],
        first_message: 'Helpdesk, good day.',
        first_message_translations: { de: long },
        fallback_message: 'Please call later.',
      },
    })
    const vals = { first_message: 'Hi!', first_message_translations: { de: 'Hallo!' }, fallback_message: 'Bye.' }
    await app.admin.ask(AGENT, 'save_draft', { ids, vals })
    await app.admin.ask(AGENT, 'publish_draft', { ids })
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', `/agents/${agent}`)
    const greeting = page.getByRole('region', { name: 'Greeting', exact: true })
    await greeting.getByText('Earlier texts Greeting', { exact: true }).click()
    await greeting
      .getByText(/^until .+, changed by .+/)
      .first()
      .waitFor()
    await greeting.getByRole('button', { name: 'Use again Helpdesk, good day.' }).click()
    await greeting.getByText('Earlier texts Greeting in German').click()
    await greeting.getByRole('button', { name: `Use again ${long}` }).click()
    await page.getByRole('region', { name: 'Limits' }).getByText('More', { exact: true }).click()
    await page.getByText('Earlier texts If unanswered, say').click()
    await page.getByRole('button', { name: 'Use again Please call later.' }).click()
    expect(await visitor.barriers()).toEqual([])
    // Callers hear it once it is published.
    const draft = page.getByRole('region', { name: 'Draft', exact: true })
    await draft.getByRole('button', { name: 'Review' }).click()
    await draft.getByRole('button', { name: 'Publish' }).click()
    await draft.waitFor({ state: 'detached' })
    const fields = ['first_message', 'first_message_translations', 'fallback_message']
    const [row] = await app.admin.ask<object[]>(AGENT, 'read', { ids, fields })
    expect(row).toMatchObject({
      first_message: 'Helpdesk, good day.',
      first_message_translations: { de: long },
      fallback_message: 'Please call later.',
    })
    // What was published just now can be taken back as well.
    await greeting.getByRole('button', { name: 'Use again Hi!' }).waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('samples of a template are rows, and so are its buttons', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    const [lang] = await app.admin.ask<number[]>('res.lang', 'search', { limit: 1 })
    const actions = [{ title: 'Yes', id: 'yes' }]
    const vals_list = { friendly_name: 'Reminder', language: lang, content_type: 'quick-reply', actions }
    const template = await app.admin.ask<number>(TEMPLATE, 'create', { vals_list })
    await visitor.signIn('ada', `/records/${TEMPLATE}/${template}`)
    const samples = page.getByRole('group', { name: 'Variables' })
    await samples.getByRole('button', { name: /^Add/ }).click()
    await samples.getByRole('textbox', { name: 'Name: 1' }).fill('1')
    await samples.getByRole('textbox', { name: 'Text: 1' }).fill('Zoe')
    await page.getByRole('textbox', { name: 'Label: 1' }).fill('No')
    expect(await page.getByText('JSON').count()).toBe(0)
    expect(await visitor.barriers()).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const fields = ['variables', 'actions']
    await expect
      .poll(() => app.admin.ask<object[]>(TEMPLATE, 'read', { ids: [template], fields }))
      .toMatchObject([{ variables: { 1: 'Zoe' }, actions: [{ title: 'No', id: 'yes' }] }])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a Connect user reads an agent and has nothing to change it with', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('eve', '/now')
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Agents' }).click()
    await page.getByRole('link', { name: /^Helpdesk/ }).click()
    await page.getByText('You help callers.').first().waitFor()
    const main = page.locator('#page')
    expect(await main.getByRole('textbox').count()).toBe(0)
    expect(await main.getByRole('button').count()).toBe(0)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
