// Codes of refusals: each has a sentence, and German words where people meet it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Refusal } from '../../../src/errors.ts'
import { FOR_PEOPLE } from '../../../src/refusals-for-people.ts'
import { FOR_PROGRAMS } from '../../../src/refusals-for-programs.ts'
import { aCall } from '../../fixtures/records.ts'
import { readSources, root } from '../../support/source-files.ts'
import { TestApp } from '../../support/test-app.ts'

const german = JSON.parse(readFileSync(path.join(root, 'web/words/de/refusals.json'), 'utf8')) as Record<string, string>
const people: Readonly<Record<string, string>> = FOR_PEOPLE
const all: Readonly<Record<string, string>> = { ...FOR_PEOPLE, ...FOR_PROGRAMS }

/** Codes that no test names, with what a test would need. */
const UNTESTED: Readonly<Record<string, string>> = {
  // Between a look and a write somebody else takes the record away, or writes the same: the database says so.
  ...Object.fromEntries(
    ['agent-draft-twice', 'no-delivery', 'no-record', 'no-such-ticket', 'step-tried-twice', 'still-used-somewhere'].map(
      (code) => [code, 'two at the same moment'],
    ),
  ),
  'value-for-cannot-stored': 'a value that every check lets pass and the database does not',
  'api-several-problems': 'on the wire its code is the kind, and its problems have theirs',
  'api-delivery-has-too-many-values': 'a delivery that takes more memory than its worker has',
  'phone-list-too-long': 'a provider with more than ten thousand of something',
  'audio-not-compared': 'a delivery in the inbox of an older version, with its audio inside',
}
/** Characters of a piece of a sentence that tell it from others. */
const PIECE_CHARS_MIN = 12

describe('codes of refusals', () => {
  it('every code is thrown somewhere, and stands in one table', () => {
    const tables = /^src\/refusals/
    const texts = [...readSources((file) => /^src\/.*\.ts$/.test(file) && !tables.test(file)).values()].join('\n')
    expect(Object.keys(all).filter((code) => !texts.includes(`'${code}'`))).toEqual([])
    expect(Object.keys(FOR_PROGRAMS).filter((code) => Object.hasOwn(people, code))).toEqual([])
  })

  it('every code is named by a test that throws it, or its sentence is', () => {
    const texts = readSources((file) => /^tests\/.*\.ts$/.test(file) && !file.endsWith('/refusal-codes.test.ts'))
    const written = [...texts.values()].join('\n').replaceAll("\\'", "'")
    const untested = Object.keys(all).filter((code) => !written.includes(`'${code}'`) && !isSaid(code, written))
    expect(untested.toSorted()).toEqual(Object.keys(UNTESTED).toSorted())
  })

  it('German has words for every refusal that somebody can meet on the page, about the same things', () => {
    expect(Object.keys(people).filter((code) => german[code] === undefined)).toEqual([])
    expect(Object.keys(german).filter((code) => people[code] === undefined)).toEqual([])
    const strange = Object.entries(german).filter(([code, text]) =>
      placesOf(text).some((name) => !placesOf(people[code] ?? '').includes(name)),
    )
    expect(strange).toEqual([])
  })

  it('what a form of the page can be refused for has words for people', () => {
    const ofForms =
      'api-must-address-https-connect-example-com api-argument-must-phone-number api-argument-not-usable api-body-too-large api-one-call-may-touch-at-most api-writes-too-much'
    expect(ofForms.split(' ').filter((code) => !Object.hasOwn(people, code))).toEqual([])
  })

  it('a refusal says the sentence of its code about what it is given', () => {
    const refusal = new Refusal('refused', 'out-of-range', { path: 'res.partner.age', min: 0, max: 9 })
    expect(refusal).toMatchObject({ code: 'out-of-range', params: { path: 'res.partner.age', min: '0', max: '9' } })
    expect(refusal.message).toBe('"res.partner.age" must be from 0 to 9.')
    const again = refusal.with({ details: { is_partly_written: true } })
    expect(again).toMatchObject({ kind: 'refused', message: refusal.message, cause: refusal })
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

function placesOf(text: string): string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name)
}

/** Whether a piece of the sentence of the code, which stands in no other one, is written there. */
function isSaid(code: string, written: string): boolean {
  const pieces = (all[code] ?? '').split(/\{\{\w+\}\}/).map((piece) => piece.trim())
  return pieces.some(
    (piece) =>
      piece.length >= PIECE_CHARS_MIN &&
      written.includes(piece) &&
      Object.entries(all).every(([other, sentence]) => other === code || !sentence.includes(piece)),
  )
}
