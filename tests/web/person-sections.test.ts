// The file of everything that is stored of a person, as the page writes it for people.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { cameAsWords } from '../../web/contacts/came-as-words.ts'
import { type Fields, PARTS, type Row, rowsOf, type Section, sectionsOf } from '../../web/contacts/person-sections.ts'
import { insertRow } from '../support/rows.ts'
import { TestApp } from '../support/test-app.ts'

const CALLER = '+14155550131'
const AT = '2026-01-15 11:00:00'
const MANNER = { zone: 'Europe/Zurich', language: 'en', yes: 'Yes', no: 'No' }

let app: TestApp
let all: Row
let sections: Section[]

beforeAll(async () => {
  app = await TestApp.start()
  const partner = await app.admin.ask<number>('res.partner', 'create', {
    vals_list: { name: 'Zoe Miller', phone: CALLER, comment: 'Rings\nlate' },
  })
  const call = await insertRow(app.db, 'connect_call', {
    ...{ caller: CALLER, called: '+15550100110', direction: 'incoming', status: 'completed', partner, started_at: AT },
    voiceai_conversation_id: 'conv_1',
  })
  await insertRow(app.db, 'connect_channel', { sid: 'CA1', call, status: 'completed', caller: CALLER })
  await insertRow(app.db, 'connect_recording', {
    ...{ call, partner, sid: 'RE1', call_sid: 'CA1', duration: 23, start_time: AT, transcript: 'My boiler leaks.' },
    turns: JSON.stringify([
      { at_ms: 0, role: 'agent', text: 'Hello' },
      {
        at_ms: 5000,
        role: 'user',
        text: 'My boiler leaks.',
        tools: [{ name: 'create_ticket', arguments: { subject: 'Boiler' } }],
      },
    ]),
  })
  await insertRow(app.db, 'connect_voicemail', {
    call,
    call_sid: 'CA1',
    sid: 'RE2',
    url: 'https://example.com/x',
    duration: 3,
  })
  await insertRow(app.db, 'connect_message', {
    ...{
      from_number: CALLER,
      to_number: '+15550100110',
      direction: 'incoming',
      status: 'received',
      partner,
      body: 'Hello',
    },
    media: JSON.stringify([{ url: 'https://example.com/x', type: 'image/png' }]),
  })
  await app.admin.ask('res.partner', 'message_post', { ids: [partner], body: 'Called <b>twice</b>' })
  const sent = await app.request('/api/attachment?name=offer.pdf', {
    method: 'POST',
    headers: { authorization: `bearer ${app.admin.key}`, 'content-type': 'application/octet-stream' },
    body: Buffer.from('%PDF-1.4\n%%EOF\n'),
  })
  const { id: file } = sent.body as { id: number }
  await app.admin.ask('res.partner', 'message_post', { ids: [partner], body: 'See', attachment_ids: [file] })
  for (const body of [`CallSid=CA1&From=%2B14155550131`, JSON.stringify({ tool: 'create_ticket', said: ['leaks'] })]) {
    await app.db.query(
      sql`insert into connect_delivery (area, route, verdict, received_at, headers, body, reply, call_ref)
          values ('telco', '/telco/webhook/number', 'handled', now() at time zone 'utc', ${JSON.stringify({ 'content-type': 'x/y' })}, ${body}, ${'{"ok":true}'}, ${call}::bigint)`,
    )
  }
  all = await app.admin.ask<Row>('res.partner', 'export_person', { ids: [partner] })
  const fields = new Map<string, Fields>()
  for (const [, model] of PARTS) {
    const { status, body } = await app.admin.call(model, 'fields_get')
    // Of files there is no screen.
    const described = Object.entries(status === 200 ? (body as Fields) : {})
    // Only a browser reads markup.
    const asTexts = described.map(([name, field]) => [name, field.type === 'html' ? { ...field, type: 'text' } : field])
    fields.set(model, Object.fromEntries(asTexts) as Fields)
  }
  sections = sectionsOf(all, {
    manner: MANNER,
    fieldsOf: (model) => fields.get(model) ?? {},
    titleOf: (model) => model,
  })
})
afterAll(() => app.stop())

test('each thing that is stored of a person has its own line', () => {
  const written = PARTS.flatMap(([part]) => rowsOf(all[part]))
  const said = sections.flatMap(({ records }) => records)
  expect(said).toHaveLength(written.length)
  const isSaid = (value: unknown) => value !== null && value !== false && value !== '' && String(value) !== ''
  expect(said.map((lines) => lines.length)).toEqual(written.map((row) => Object.values(row).filter(isSaid).length))
})

test('audio, files and media stand there by their address, and nothing is left out that has no screen', () => {
  const lines = sections.flatMap(({ records }) => records.flat())
  const kinds = lines.flatMap(([, text]) => /\/connect\/(\w+)\/\d+/.exec(text)?.[1] ?? [])
  expect(kinds.sort()).toEqual(['attachment', 'message', 'recording', 'voicemails'])
  expect(lines).toContainEqual(['Name', 'offer.pdf'])
})

test('no line is JSON, markup or a form, and no label a name of a program', () => {
  const lines = sections.filter(({ title }) => title !== 'mail.message').flatMap(({ records }) => records.flat())
  expect(lines.filter(([, text]) => /[{[]"|<\w|%2B|=CA1/.test(text))).toEqual([])
  expect(lines.filter(([label]) => /_|^[a-z]/.test(label))).toEqual([])
})

test.each([
  ['CallSid=CA1&From=%2B14155550131&To=', 'Call sid: CA1; From: +14155550131'],
  ['/telco/webhook/number?record=7&a=b%20c', '/telco/webhook/number; Record: 7; A: b c'],
  ['{"tool":"create_ticket","said":["leaks"],"is_new":true}', 'Tool: create_ticket; Said: leaks; Is new: Yes'],
  [
    '<?xml version="1.0"?><Response><Say voice="Amy">Hello &amp; bye</Say><Hangup/></Response>',
    'Response; Say (voice: Amy): Hello & bye; Hangup',
  ],
  ['Two = three & four', 'Two = three & four'],
  ['{not JSON', '{not JSON'],
])('what came as %s is read as %s', (came, words) => expect(cameAsWords(came, MANNER)).toBe(words))
