// Codes of refusals: every sentence has one, and German words for it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../../../src/platform/api/refusal-codes.ts'
import { aCall } from '../../fixtures/records.ts'
import { readSources, root } from '../../support/source-files.ts'
import { TestApp } from '../../support/test-app.ts'

const NONE = 'none'
const SENTENCE = /new Refusal\(\s*'[\w-]+',\s*(?:`((?:[^`\\]|\\.)*)`|'((?:[^'\\]|\\.)*)')/g

const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Record<string, string>
const english = read('src/platform/api/refusals.json')
const german = read('web/words/de/refusals.json')

describe('codes of refusals', () => {
  it('every sentence that the platform refuses with has a code', () => {
    // Rooms above it add theirs to the table where somebody meets them on the page; the others have their kind.
    const sources = readSources((file) => /^src\/platform\/.*\.ts$/.test(file))
    const sentences = [...sources.values()].flatMap((text) =>
      [...text.matchAll(SENTENCE)].map(([, one, other]) => filled(one ?? other ?? '')),
    )
    expect(sentences.length).toBeGreaterThan(80)
    expect(sentences.filter((sentence) => codeOf(sentence, NONE).code === NONE)).toEqual([])
  })

  it('German has words for every refusal that somebody can meet on the page, about the same things', () => {
    // What begins with "api-" is about how a program calls; the page does not call so.
    const met = Object.keys(english).filter((code) => !code.startsWith('api-'))
    expect(met.filter((code) => german[code] === undefined)).toEqual([])
    expect(Object.keys(german).filter((code) => english[code] === undefined)).toEqual([])
    const strange = Object.entries(german).filter(([code, text]) =>
      placesOf(text, /\{\{(\w+)\}\}/g).some((name) => !placesOf(english[code] ?? '', /\{(\w+)\}/g).includes(name)),
    )
    expect(strange).toEqual([])
  })

  it('a sentence is told from others that begin like it', () => {
    expect(codeOf('"res.partner.name" is required.', NONE)).toEqual({
      code: 'required',
      params: { path: 'res.partner.name' },
    })
    expect(codeOf('"connect.user.username" is required while the SIP phone is enabled.', NONE).code).toBe(
      'required-when',
    )
    expect(codeOf('Something else.', NONE)).toEqual({ code: NONE, params: {} })
  })
})

describe('an answer that refuses', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await TestApp.start()
  })
  afterAll(() => app.stop())

  it('an answer names model, field, code and what it is about', async () => {
    const { body } = await app.admin.call('res.partner', 'create', { vals_list: { name: '', email: 7, tz: 'Mars' } })
    const problems = [
      { field: 'name', code: 'required', params: { path: 'res.partner.name' } },
      { field: 'email', code: 'not-text' },
    ]
    expect(body).toMatchObject({
      context: { model: 'res.partner', field: expect.any(String), kind: 'refused', problems: expect.any(Array) },
    })
    const { context } = body as { context: { problems: object[] } }
    for (const problem of problems) expect(context.problems).toContainEqual(expect.objectContaining(problem))
  })

  it('an answer says what people call the models and fields that its sentences name', async () => {
    const { body } = await app.admin.call('calendar.event', 'create', { vals_list: { name: 'Visit', start: 'noon' } })
    expect(body).toMatchObject({
      context: { labels: { 'calendar.event.start': 'Start', 'calendar.event.stop': 'End' } },
    })
    const user = await app.person(['connect.group_user'])
    const refused = await user.call('connect.audit', 'search_read', { fields: ['at'] })
    expect(refused.body).toMatchObject({ context: { labels: { 'connect.audit': expect.stringMatching(/^[A-Z]/) } } })
  })

  it('methods are described with their buttons, and whether one may', async () => {
    const user = await app.person(['connect.group_user'])
    const [mine, others] = await Promise.all(
      [app.admin, user].map((caller) => caller.ask<Record<string, object>>('connect.call', 'methods_get')),
    )
    expect(mine?.forward).toMatchObject({ label: 'Forward', allowed: true, arguments: { type: 'object' } })
    expect(Object.keys(mine ?? {})).toEqual(Object.keys(others ?? {}))
  })

  it('a deletion says what it takes along', async () => {
    const contact = await app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Miller & Sons' } })
    await app.admin.ask('res.partner', 'create', { vals_list: { name: 'Zoe', parent_id: contact } })
    const found = await app.admin.ask('res.partner', 'consequences', { ids: [contact] })
    expect(found).toContainEqual({ model: 'res.partner', label: 'Contact', what: 'kept', count: 1 })
  })

  it('a deletion says so of links that few records have as well', async () => {
    const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Boiler' } })
    await aCall(app, { ticket })
    const found = await app.admin.ask('helpdesk.ticket', 'consequences', { ids: [ticket] })
    expect(found).toContainEqual({ model: 'connect.call', label: 'Call', what: 'kept', count: 1 })
  })
})

function filled(template: string): string {
  let text = template.replaceAll(/\\(['`])/g, '$1').replaceAll('\\\\', '\\')
  // From the inside out: a place may hold a text with places of its own.
  while (/\$\{[^{}]*\}/.test(text)) text = text.replaceAll(/\$\{[^{}]*\}/g, 'x')
  return text
}

function placesOf(text: string, place: RegExp): string[] {
  return [...text.matchAll(place)].map(([, name = '']) => name)
}
