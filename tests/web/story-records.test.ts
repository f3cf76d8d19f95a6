// The screens that are made from what the models say of themselves: every one of them, with what strangers wrote in it;
// and what somebody works with on them: views, drafts, two people on one record, notes, deletions, and the search.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { insertRow } from '../support/rows.ts'
import { eventually, TestApp } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const HOSTILE = '<img src=x onerror=alert(1)> "><script>alert(2)</script>'
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const SCREENS_MS = 900_000
const LOOKS = [
  { width: 1280, colorScheme: 'light', language: 'de' },
  { width: 375, colorScheme: 'dark', language: 'en' },
  { width: 1280, colorScheme: 'dark', language: 'en' },
  { width: 375, colorScheme: 'light', language: 'de' },
] as const

let app: TestApp
let browser: Browser

beforeAll(async () => {
  app = await TestApp.start({ env: { PAGE: 'on' } })
  await firstAdministrator(app, 'ada')
  await leaveHostileText()
  await pageIsBuilt(app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await app.stop()
})

/** A record of each model that takes one with nothing but a name and a text; the others keep what they have. */
async function leaveHostileText(): Promise<void> {
  for (const { name: model, fields, access } of app.app.platform.models) {
    if (access === undefined) continue
    const texts = Object.entries(fields).filter(([, { kind, readonly }]) => /char|text/.test(kind) && readonly !== true)
    const free = texts.filter(([, field]) => !('pattern' in field && field.pattern !== undefined))
    for (const values of [free, free.filter(([, { required }]) => required === true)]) {
      const vals = Object.fromEntries(values.map(([name]) => [name, HOSTILE]))
      if ((await app.admin.call(model, 'create', { vals_list: vals })).status === 200) break
    }
  }
}

/** The list of a model, and the newest of its records that the visitor may see. */
async function addressesOf(visitor: Visitor | undefined, model: string): Promise<string[]> {
  const ids = await visitor?.page.evaluate(async (name) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ limit: 1, order: 'id desc' })
    const answer = await fetch(`/json/2/${name}/search`, { method: 'POST', headers, body })
    const found: number[] = await answer.json()
    return answer.ok ? found : undefined
  }, model)
  return ids === undefined ? [] : [`/records/${model}`, ...ids.map((id) => `/records/${model}/${id}`)]
}

/** A view that is renamed, shared or deleted is again what it was after Undo. */
async function takesBackWhatIsDoneWithAView({ page }: Visitor): Promise<void> {
  const fields = ['name', 'user', 'is_default']
  const views = () => app.admin.ask<object[]>('connect.view', 'search_read', { domain: [], fields })
  const was = await views()
  const act = async (view: string, name: string): Promise<void> => {
    await page.getByRole('button', { name: view, exact: true }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  const undo = async (told: string): Promise<void> => {
    const toast = page.getByRole('alert').filter({ hasText: told })
    await toast.getByRole('button', { name: 'Undo' }).click()
    await eventually(
      async () => JSON.stringify(await views()).replace(/"id":\d+/, '') === JSON.stringify(was).replace(/"id":\d+/, ''),
    )
    await page.getByRole('button', { name: 'Zoes', exact: true }).waitFor()
  }
  await act('Zoes', 'Rename …')
  await page.getByLabel('View name').fill('Zoes of old')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Zoes of old', exact: true }).waitFor()
  await undo('View renamed to Zoes of old')
  await act('Zoes', 'Share with everyone')
  await undo('View Zoes shared with everyone')
  await act('Zoes', 'Open by default')
  await undo('View Zoes opens by default')
  await act('Zoes', 'Delete view')
  await undo('View Zoes deleted')
}

/** What keeps somebody from using the page at the address. */
async function barriersOf(visitor: Visitor | undefined, address: string): Promise<string[]> {
  if (visitor === undefined) throw new Error('nobody looks')
  await visitor.visit(address)
  await visitor.page.locator('main h1').waitFor()
  await visitor.page.locator('main :is([role="grid"], form, [role="status"] p)').first().waitFor()
  const barriers = (await visitor.barriers()).map((barrier) => `${address} ${barrier}`)
  return (await visitor.isTooWide()) ? [...barriers, `${address} is too wide`] : barriers
}

describe('generated screens', () => {
  beforeEach(({ skip }) => skip(NO_BROWSER !== undefined, NO_BROWSER))

  it(
    'each model is listed and shown, with nothing obeyed that strangers wrote, and nothing in the way of anybody',
    async () => {
      const visitors = await Promise.all(LOOKS.map((look) => Visitor.open(browser, app.url, look)))
      for (const visitor of visitors) await visitor.signIn('ada', '/records')
      const models = [...app.app.platform.models].filter(({ access }) => access !== undefined)
      const found: string[] = []
      for (const [at, { name: model }] of models.entries()) {
        for (const [step, address] of (await addressesOf(visitors[0], model)).entries()) {
          found.push(...(await barriersOf(visitors[(at + step) % LOOKS.length], address)))
        }
      }
      expect(found).toEqual([])
      expect(visitors.flatMap(({ faults }) => faults)).toEqual([])
      await Promise.all(visitors.map((visitor) => visitor.close()))
    },
    SCREENS_MS,
  )

  it(
    'a German reader finds by the words of the page, in lists, in pickers and in the search',
    async () => {
      const visitor = await Visitor.open(browser, app.url, { language: 'de' })
      const { page } = visitor
      await app.admin.ask('helpdesk.ticket', 'create', { vals_list: { name: 'Router without light' } })
      await app.admin.ask('res.partner', 'create', { vals_list: { name: '+14155550216', phone: '+14155550216' } })
      await insertRow(app.db, 'connect_message', {
        ...{ from_number: '+41313808316', to_number: '+15550100110', direction: 'incoming', status: 'received' },
        ...{ message_type: 'sms', body: 'Wasserschaden im Keller' },
      })
      await visitor.signIn('ada', '/records')
      await visitor.visit('/records/helpdesk.stage?name=bearbeitung')
      await page.getByRole('row', { name: 'In Bearbeitung' }).waitFor()
      expect(await page.locator('[data-row]').count()).toBe(1)
      await visitor.visit('/records/helpdesk.ticket')
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Phase', exact: true }).click()
      const stage = page.getByPlaceholder('Phase')
      await stage.click()
      await stage.fill('bearbei')
      await page.getByRole('option', { name: 'In Bearbeitung' }).waitFor()
      await stage.fill('in progr')
      await page.getByRole('option', { name: 'In Bearbeitung' }).waitFor()
      await page.keyboard.press('Escape')
      await visitor.visit('/now')
      await page.keyboard.press('/')
      await page.getByRole('dialog').getByRole('textbox').fill('router')
      const hit = page.getByRole('dialog').locator('[data-action]').filter({ hasText: 'Router without light' }).first()
      expect(await hit.textContent()).toContain('Eingang')

      // A contact without a name is called by its number, once and as people write it.
      await page.getByRole('dialog').getByRole('textbox').fill('+14155550216')
      const unnamed = page.getByRole('dialog').locator('[data-action]').filter({ hasText: '415' }).first()
      await unnamed.waitFor()
      expect((await unnamed.textContent())?.replaceAll('\u00a0', ' ')).toBe('+1 415 555 0216')

      // A text message leads to its conversation.
      await page.getByRole('dialog').getByRole('textbox').fill('wasserschaden')
      await page.getByRole('dialog').locator('[data-action]').filter({ hasText: 'Wasserschaden im Keller' }).click()
      await page.waitForURL(/\/messages\/sms\/%2B15550100110\/%2B41313808316$/)
      expect(visitor.faults).toEqual([])
      await visitor.close()
    },
    BROWSER_MS,
  )

  it(
    'a filter becomes a view, a draft outlives the page, and the person who was faster is named',
    async () => {
      const visitor = await Visitor.open(browser, app.url)
      const { page } = visitor
      const contact = await app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Zoe Miller' } })
      await visitor.signIn('ada', '/records')

      await visitor.go('/records/res.partner?name=Zoe')
      await page.getByRole('button', { name: 'Saved as a view' }).click()
      await page.getByLabel('View name').fill('Zoes')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('button', { name: 'Zoes' }).waitFor()
      await takesBackWhatIsDoneWithAView(visitor)

      // Among all data a view says its list and its filter in words.
      await visitor.visit('/records/connect.view')
      await page.getByRole('row', { name: /Zoes/ }).click()
      expect(await page.locator('[data-field="model"]').textContent()).toBe('ListContact')
      expect(await page.locator('[data-field="query"]').textContent()).toBe('FilterName: Zoe')
      await visitor.visit('/records/res.partner?name=Zoe')

      await page.getByRole('row', { name: /Zoe Miller/ }).click()
      await page.locator('[data-field="name"] input').fill('Zoe Moss')
      await page.getByRole('link', { name: 'Contact', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
      await page.getByRole('row', { name: /Zoe Miller/ }).click()
      await page.getByText('Draft, not saved yet').waitFor()
      expect(await page.locator('[data-field="name"] input').inputValue()).toBe('Zoe Moss')

      await app.admin.ask('res.partner', 'write', { ids: [contact], vals: { name: 'Zoe Muller' } })
      await page.keyboard.press('Control+s')
      await page.getByRole('radio', { name: /: Zoe Muller$/ }).waitFor()
      await page.getByRole('radio', { name: 'You: Zoe Moss' }).check()
      await page.getByRole('button', { name: 'Save this choice' }).click()
      await page.getByText('Contact saved', { exact: true }).waitFor()
      const [row] = await app.admin.ask<{ name: string }[]>('res.partner', 'read', { ids: [contact], fields: ['name'] })
      expect(row?.name).toBe('Zoe Moss')

      await page.getByRole('textbox', { name: 'Write a note' }).fill(HOSTILE)
      await page.getByRole('button', { name: 'Add note' }).click()
      await page.getByRole('article').getByText(HOSTILE).waitFor()
      await page.getByRole('article').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('No notes yet').waitFor()

      expect(await visitor.barriers()).toEqual([])
      expect(visitor.faults).toEqual([])
      await visitor.close()
    },
    BROWSER_MS,
  )

  it(
    'files are chosen, dropped and left out, go on a note, and are deleted with it after a question',
    async () => {
      const visitor = await Visitor.open(browser, app.url)
      const { page } = visitor
      const contact = await app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Zoe Files' } })
      await visitor.signIn('ada', '/records')
      await visitor.go(`/records/res.partner/${contact}`)
      const picked = page.getByRole('listitem')
      await page.locator('input[type="file"]').setInputFiles([
        { name: 'boiler.png', mimeType: 'image/png', buffer: PICTURE },
        { name: `${HOSTILE}.txt`, mimeType: 'text/html', buffer: Buffer.from(HOSTILE) },
        { name: 'huge.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(25 * 1024 * 1024 + 1) },
      ])
      await picked.filter({ hasText: 'more than 25 MB' }).waitFor()
      const post = page.getByRole('button', { name: 'Add note' })
      expect(await post.isDisabled()).toBe(true)
      await page.getByRole('button', { name: 'Remove huge.bin' }).click()
      await page.waitForFunction(() => document.querySelectorAll('main form[data-note] li').length === 2)
      expect(await visitor.barriers()).toEqual([])
      await post.click()
      const note = page.getByRole('article')
      const picture = note.getByRole('img', { name: 'boiler.png' })
      await picture.waitFor()
      await page.waitForFunction(() => (document.querySelector('article img') as HTMLImageElement)?.naturalWidth === 1)
      await note.getByText('.txt').waitFor()

      await page.evaluate(() => {
        const data = new DataTransfer()
        data.items.add(new File(['a letter'], 'dropped.txt'))
        const box = document.querySelector('form[data-note] textarea')
        box?.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }))
      })
      await picked.filter({ hasText: 'dropped.txt' }).filter({ hasText: 'kB' }).waitFor()
      expect(await visitor.barriers()).toEqual([])
      await note.getByRole('button', { name: 'Delete' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Delete this note and its files?').waitFor()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await page.getByText('No notes yet').waitFor()
      const left = await app.db.query(sql`select 1 from connect_attachment where post is not null`)
      expect(left).toEqual([])
      expect(visitor.faults).toEqual([])
      await visitor.close()
    },
    BROWSER_MS,
  )

  it(
    'a method counts the records that it is done with, and one that asks for something has a form',
    async () => {
      const made = { caller: '+14155550191', called: '+14155550110', direction: 'incoming', status: 'no-answer' }
      for (let left = 2; left > 0; left -= 1) await app.admin.ask('connect.call', 'create', { vals_list: made })
      const visitor = await Visitor.open(browser, app.url)
      const { page } = visitor
      await visitor.signIn('ada', '/records')
      await visitor.go('/records/connect.call')
      const dialog = page.getByRole('dialog')
      await page.locator('[data-row="1"]').waitFor()
      await page.locator('[data-row="0"]').focus()
      await page.keyboard.press('x')
      await page.getByText('1 selected', { exact: true }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.waitForFunction(() => document.activeElement?.getAttribute('data-row') === '1')
      await page.keyboard.press('x')
      await page.getByText('2 selected', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'More' }).last().click()
      await page.getByRole('menuitem', { name: /^Delete voicemail/ }).click()
      await dialog.getByText('Delete the voicemail for good?').waitFor()
      await dialog.getByText(/2 entries\. This can't be undone\.$/).waitFor()
      expect(await visitor.barriers()).toEqual([])
      await dialog.getByRole('button', { name: 'Delete voicemail' }).click()
      await dialog.waitFor({ state: 'detached' })

      await page.locator('[data-row="0"]').click()
      await page.waitForURL(/\/records\/connect\.call\/\d+$/)
      // The list has a button of that name as well, and stands until the record is there.
      await page.locator('[data-row="0"]').waitFor({ state: 'detached' })
      await page.locator('main').getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: /^Forward/ }).click()
      const forward = dialog.getByRole('button', { name: 'Forward' })
      expect(await forward.isDisabled()).toBe(true)
      await dialog.getByLabel('Number').fill('+14155550133')
      await forward.click()
      await dialog.getByRole('alert').getByText('The call is over.').waitFor()
      expect(await visitor.barriers()).toEqual([])
      expect(visitor.faults).toEqual([])
      await visitor.close()
    },
    BROWSER_MS,
  )

  it(
    'the search opens the first hit, and a record says what a deletion takes along',
    async () => {
      const visitor = await Visitor.open(browser, app.url)
      const { page } = visitor
      const company = await app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Quarry Lanterns' } })
      await app.admin.ask('res.partner', 'create', { vals_list: { name: 'Xenia Lopez', parent_id: company } })
      await visitor.signIn('ada', '/records')
      await page.locator('main h1').waitFor()
      await page.keyboard.press('/')
      await page.getByPlaceholder('Name, number, ticket, call').fill('quarry lan')
      await page.getByRole('dialog').getByText('Quarry Lanterns').waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname === `/contacts/${company}`)

      await visitor.go(`/records/res.partner/${company}`)
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('dialog').getByText('Contact: 1 kept, no longer related.').waitFor()
      await page.getByRole('dialog').locator('button:focus').getByText('Cancel').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.waitForURL((url) => url.pathname === '/records/res.partner')
      await visitor.go(`/records/res.partner/${company}`)
      await page.getByText('Contact not found, or not shared with you.').waitFor()
      expect(visitor.faults).toEqual([])
      await visitor.close()
    },
    BROWSER_MS,
  )
})
