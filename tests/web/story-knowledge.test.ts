// What an agent knows, on its page: a question of a call is answered and the next caller hears it; files, pages and texts.
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hear, hearSomething, say } from '../../emulators/people.ts'
import { runScenario, type Scenario } from '../../emulators/scenarios/scenario.ts'
import { answersAbout, endsCall, hears } from '../../emulators/voiceai/conversation/script.ts'
import { startWorld, type TestWorld } from '../emulators/scenario-world.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { eventually } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const NUMBER = '+14155550131'
const CALLER = '+14155550231'
const ASKED = 'Do you open on Sunday?'
const CLOSED = 'On Sunday we are closed.'

/** Somebody asks, and hears what the agent knows. */
function asks(heard: string): Scenario {
  return {
    name: 'asks',
    title: 'A caller asks something',
    company: {
      agents: [{ name: 'Front desk', greeting: 'Good day.', prompt: 'You are the front desk.', tools: ['end_call'] }],
      numbers: [{ number: NUMBER, leadsTo: 'Front desk' }],
    },
    scripts: () => ({ 'Front desk': { turns: [hears('sunday'), answersAbout('sunday'), hears('thank'), endsCall()] } }),
    async play({ call }) {
      const acts = [hearSomething(), say(ASKED), hear(heard), say('Thank you.'), hear('goodbye')]
      await call({ from: CALLER, to: NUMBER, acts })
    },
    expects: [],
  }
}

let world: TestWorld
let browser: Browser
let agent: number

beforeAll(async () => {
  world = await startWorld({}, { PAGE: 'on' })
  await firstAdministrator(world.app, 'ada')
  expect((await runScenario(asks("don't have that information"), world)).complaints).toEqual([])
  const found = await world.app.admin.ask<number[]>('connect.voiceai_agent', 'search', {
    domain: [['name', '=', 'Front desk']],
  })
  agent = found[0] ?? 0
  await eventually(async () => {
    const open = await world.app.admin.ask<number>('connect.voiceai_question', 'search_count', { domain: [] })
    return open === 1 ? true : undefined
  })
  await pageIsBuilt(world.app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await world.stop()
})

const heldBy = (words: string) =>
  eventually(async () => [...world.voiceai.workspace.documents.values()].find(({ content }) => content.includes(words)))
const rowOf = (part: Locator, name: string) => part.getByRole('listitem').filter({ hasText: name })

describe('knowledge of an agent', () => {
  it('a question of a call is answered on the page, and the next caller hears the answer', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', `/agents/${agent}`)
    const part = page.getByRole('region', { name: 'Knowledge' })
    const asked = part.getByRole('region', { name: "Questions it couldn't answer" })
    await asked.getByText('Asked once').waitFor()
    expect(await visitor.barriers()).toEqual([])
    await asked.getByRole('button', { name: `Answer “${ASKED}”` }).click()
    await asked.getByRole('textbox').fill(CLOSED)
    await asked.getByRole('button', { name: 'Save answer' }).click()
    await asked.waitFor({ state: 'detached' })
    await rowOf(part, ASKED).getByText('always in mind').waitFor()
    await heldBy(CLOSED)
    await eventually(async () => {
      const domain = [['id', '=', agent]]
      const [row] = await world.app.admin.ask<{ synced: boolean }[]>('connect.voiceai_agent', 'search_read', {
        domain,
        fields: ['synced'],
      })
      return row?.synced === true ? true : undefined
    })
    expect((await runScenario(asks(CLOSED), world)).complaints).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a file, a page and a text are added and removed in German, and a refused address says why', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url, { language: 'de' })
    const { page } = visitor
    await visitor.signIn('ada', `/agents/${agent}`)
    const part = page.getByRole('region', { name: 'Wissen' })
    const dialog = page.getByRole('dialog')
    const begin = async (kind: string) => {
      await part.getByRole('button', { name: 'Hinzufügen' }).click()
      await dialog.getByText(kind, { exact: true }).click()
    }
    await begin('Datei')
    expect(await visitor.barriers()).toEqual([])
    const chosen = { name: 'Handbuch.md', mimeType: 'text/markdown', buffer: Buffer.from('Parken hinter dem Haus.') }
    await dialog.locator('input[type=file]').setInputFiles(chosen)
    await dialog.getByText('Handbuch.md').waitFor()
    await dialog.getByRole('button', { name: 'Hinzufügen' }).click()
    await rowOf(part, 'Handbuch.md').waitFor()
    await heldBy('Parken hinter dem Haus.')
    await begin('Webseite')
    await dialog.getByLabel('Webadresse').fill('http://192.168.1.1/preise')
    await dialog.getByRole('button', { name: 'Hinzufügen' }).click()
    await dialog.getByText(/öffentliche Adresse, die mit http oder https beginnt/).waitFor()
    await dialog.getByLabel('Webadresse').fill('www.example.org/preise')
    await dialog.getByRole('button', { name: 'Hinzufügen' }).click()
    await rowOf(part, 'www.example.org/preise').waitFor()
    await heldBy('https://www.example.org/preise')
    await part.getByRole('button', { name: '„Handbuch.md“ entfernen' }).click()
    await dialog.getByRole('button', { name: 'Löschen' }).click()
    await rowOf(part, 'Handbuch.md').waitFor({ state: 'detached' })
    await eventually(async () =>
      [...world.voiceai.workspace.documents.values()].every(({ name }) => name !== 'Handbuch.md') ? true : undefined,
    )
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
