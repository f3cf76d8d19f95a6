// A caller chooses their name, and the person who writes a contact chooses its number: erasing that person changes nothing of others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchOf } from '../../../src/app/person/search.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { eventually, TestApp } from '../../support/test-app.ts'

const OURS = '+14155550110'

let app: TestApp
let neighbour: number

beforeAll(async () => {
  app = await TestApp.start()
  neighbour = await create('res.partner', { name: 'Will Young', phone: '+14155550333' })
  await app.db.query(sql`insert into connect_telco_number (phone_number) values (${OURS})`)
})
afterAll(() => app.stop())

const create = (model: string, values: object) => app.admin.ask<number>(model, 'create', { vals_list: values })

interface Preview {
  counts: Record<string, number>
  redacted: Record<string, number>
  mentions: { model: string; id: number; fields: string[] }[]
  shared: { numbers: string[]; names: string[] }
}

const preview = (contact: number) => app.admin.ask<Preview>('res.partner', 'erase_preview', { ids: [contact] })

/** Erases, and gives the receipt once the job has ended. */
async function erase(contact: number, name: string): Promise<{ state: string; counts: Record<string, number> }> {
  const { erasure } = await app.admin.ask<{ erasure: number }>('res.partner', 'erase', {
    ids: [contact],
    confirm: name,
  })
  return eventually(async () => {
    const [row] = await app.admin.ask<{ state: string; counts: Record<string, number> }[]>('connect.erasure', 'read', {
      ids: [erasure],
    })
    return row?.state === 'running' ? undefined : row
  })
}

/** Everything that people wrote and set up, as a dump has it, without what erasing makes itself. */
async function dump(): Promise<string[]> {
  const tables = await app.db.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' and tablename not in
          ('connect_erasure', 'connect_delivery', 'connect_lease', 'connect_audit', 'res_users_apikeys') order by 1`,
  )
  const parts: string[] = []
  for (const { name } of tables) {
    const rows = await app.db.query<{ row: string }>(sql`select t::text as row from ${sql.identifier(name)} t`)
    parts.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  return parts.sort()
}

const TWENTY = Array.from({ length: 12 }, () => '20').join(' ')

describe('a chosen name', () => {
  it.each([
    'Thank You',
    'Field Priority',
    'Model Helpdesk',
    'Say Voice',
    TWENTY,
    'Helpdesk Ticket',
    'To From',
    'Null Null',
  ])('%s changes nothing of others, and the erasure ends', async (name) => {
    const text = `Thank you for calling. Field: priority. ${name}, please.`
    const ticket = await create('helpdesk.ticket', { name, description: text, partner_id: neighbour })
    await app.admin.ask('helpdesk.ticket', 'write', { ids: [ticket], vals: { priority: '2' } })
    await app.admin.ask('helpdesk.ticket', 'message_post', { ids: [ticket], body: text })
    await create('connect.telco.callflow', { name, prompt_message: text })
    await create('connect.telco.markup', { name: `${name} again`, markup: `<Response><Say>${name}</Say></Response>` })
    await app.db.query(sql`insert into connect_audit (at, via, model, what, changes)
        values (now(), 'page', 'helpdesk.ticket', 'write', '{"field": ["priority", ${sql.raw(`"${name}"`)}]}')`)
    const before = await dump()
    const audit = () => app.db.query(sql`select id, changes from connect_audit where changes is not null order by id`)
    const audited = await audit()
    const contact = await create('res.partner', { name, phone: '+14155550299', email: 'caller@aim.example' })
    const theirs = await create('helpdesk.ticket', { name: `For ${name}`, description: text, partner_id: contact })
    await app.admin.ask('helpdesk.ticket', 'write', { ids: [theirs], vals: { priority: '2' } })
    const seen = await preview(contact)
    expect([seen.redacted, seen.mentions]).toEqual([{}, []])
    expect((await erase(contact, name)).state).toBe('done')
    await app.admin.ask('helpdesk.ticket', 'unlink', { ids: [theirs] })
    expect(await dump()).toEqual(before)
    expect(await audit()).toEqual(expect.arrayContaining(audited))
  })
})

describe('a chosen number', () => {
  it('a number that is ours erases nobody else’s calls, and stays', async () => {
    const contact = await create('res.partner', { name: 'Aimed Well', phone: OURS })
    const call = await create('connect.call', { caller: '+14155550444', called: OURS, direction: 'incoming' })
    await create('helpdesk.ticket', { name: `Called ${OURS}`, partner_id: neighbour })
    const before = await dump()
    expect((await preview(contact)).shared.numbers).toEqual([OURS])
    expect((await erase(contact, 'Aimed Well')).counts).toEqual({ 'res.partner': 1 })
    expect(await dump()).toEqual(before.filter((row) => !row.includes('Aimed Well')))
    const [kept] = await app.admin.ask<object[]>('connect.call', 'read', { ids: [call], fields: ['caller', 'called'] })
    expect(kept).toMatchObject({ caller: '+14155550444', called: OURS })
  })
})

describe('a chosen address', () => {
  it('the login or the mobile of a colleague is nobody else’s: what others wrote of it stays', async () => {
    const [login, mobile] = ['Bob@office.example', '+41791234567']
    await app.person(['connect.group_user'], { login, name: 'Bob' })
    await create('connect.telco.exten', { number: '777', mobile_number: mobile, mobile_name: 'Bob' })
    const contact = await create('res.partner', { name: 'Aimed At', phone: mobile, email: 'bob@office.example' })
    const text = `Ask bob@office.example, or call ${mobile}.`
    await create('helpdesk.ticket', { name: 'Aimed', description: text, partner_id: neighbour })
    const before = await dump()
    expect(await preview(contact)).toMatchObject({ redacted: {}, shared: { numbers: [mobile] } })
    expect((await erase(contact, 'Aimed At')).state).toBe('done')
    expect(await dump()).toEqual(before.filter((row) => !row.includes('Aimed At')))
  })
})

describe('what others wrote', () => {
  it('loses number and address, the preview names it before, and counts what is changed', async () => {
    const contact = await create('res.partner', {
      name: 'Zoe Miller',
      phone: '+14155550210',
      email: 'Zoe@miller.example',
    })
    const ticket = await create('helpdesk.ticket', {
      name: 'About a neighbour',
      description: 'Zoe Miller ((415) 555-0210) told me',
      partner_id: neighbour,
    })
    const named = await create('helpdesk.ticket', { name: 'Zoe Miller is nice', partner_id: neighbour })
    const changes = '{"+14155550210": "id", "number": "+14155550210", "digits": 14155550210, "why": "no country"}'
    const [post] = await app.db.query<{
      id: number
    }>(sql`insert into mail_message (model, res_id, message_type, date, changes)
      values ('res.partner', ${neighbour}::bigint, 'notification', now(), jsonb_build_array(${changes}::jsonb)) returning id`)
    const seen = await preview(contact)
    expect(seen.redacted).toEqual({ 'helpdesk.ticket': 1, 'mail.message': 1 })
    expect(seen.mentions).toEqual(
      expect.arrayContaining([
        { model: 'helpdesk.ticket', id: ticket, fields: ['description'] },
        { model: 'mail.message', id: post?.id, fields: ['changes'] },
      ]),
    )
    const receipt = await erase(contact, 'Zoe Miller')
    expect(receipt.counts).toMatchObject({ ...seen.counts, ...seen.redacted })
    const texts = await app.admin.ask<object[]>('helpdesk.ticket', 'read', {
      ids: [ticket, named],
      fields: ['name', 'description'],
    })
    expect(texts).toMatchObject([
      { description: expect.stringContaining('••• (•••) told me') },
      { name: 'Zoe Miller is nice' },
    ])
    const [posted] = await app.db.query<{ changes: unknown }>(
      sql`select changes from mail_message where id = ${post?.id ?? 0}::bigint`,
    )
    expect(posted?.changes).toEqual([{ '+14155550210': 'id', number: '•••', digits: '•••', why: 'no country' }])
  })

  it('keeps the name that another contact has as well, and the preview says so', async () => {
    const contact = await create('res.partner', { name: 'Ann Lee', phone: '+14155550211' })
    await create('res.partner', { name: 'ann lee', phone: '+14155550212' })
    const ticket = await create('helpdesk.ticket', {
      name: 'About two people',
      description: 'Ann Lee (+14155550211) told me',
      partner_id: neighbour,
    })
    expect((await preview(contact)).shared).toEqual({ numbers: [], names: ['Ann Lee'] })
    expect((await erase(contact, 'Ann Lee')).state).toBe('done')
    const [text] = await app.admin.ask<object[]>('helpdesk.ticket', 'read', { ids: [ticket], fields: ['description'] })
    expect(text).toMatchObject({ description: expect.stringContaining('Ann Lee (•••) told me') })
  })

  it('loses the name also where another contact has the number: that stays, and the preview says so', async () => {
    const [line, address] = ['+14155550214', 'cy@reed.example']
    const contact = await create('res.partner', { name: 'Cy Reed', phone: line, email: address })
    await create('res.partner', { name: 'Di Reed', phone: line })
    const ticket = await create('helpdesk.ticket', {
      name: 'About one line',
      description: `Cy Reed (${address}) told me to call ${line}`,
      partner_id: neighbour,
    })
    expect((await preview(contact)).shared).toEqual({ numbers: [line], names: [] })
    expect((await erase(contact, 'Cy Reed')).state).toBe('done')
    const [text] = await app.admin.ask<object[]>('helpdesk.ticket', 'read', { ids: [ticket], fields: ['description'] })
    expect(text).toMatchObject({ description: expect.stringContaining(`•••) told me to call ${line}`) })
    expect(JSON.stringify(text)).not.toContain('Cy Reed')
  })

  it('a favourite is found however its number was written', async () => {
    const contact = await create('res.partner', { name: 'Bo Fall', phone: '+14155550213' })
    await create('connect.favorite', { phone_number: '+1 (415) 555-0213' })
    expect((await preview(contact)).counts).toEqual({ 'connect.favorite': 1, 'res.partner': 1 })
    expect((await erase(contact, 'Bo Fall')).counts).toEqual({ 'connect.favorite': 1, 'res.partner': 1 })
  })

  it('an erasure goes on from where the search had come to when the process ended', async () => {
    const [before, after] = [
      await create('helpdesk.ticket', { name: 'Call +14155550777', partner_id: neighbour }),
      await create('helpdesk.ticket', { name: 'Call +14155550777 again', partner_id: neighbour }),
    ]
    const pattern = JSON.stringify({ sought: { names: [], numbers: ['+14155550777'], emails: [] }, linked: {} })
    const marks = JSON.stringify({ texts: [], at: { model: 'helpdesk.ticket', last: before } })
    const [row] = await app.db.query<{
      id: number
    }>(sql`insert into connect_erasure (contact, state, counts, pattern, marks)
      values (1, 'running', '{"helpdesk.ticket": 3}', ${pattern}, ${marks}::jsonb) returning id`)
    const erasureId = row?.id ?? 0
    await app.db.transaction((tx) => app.app.platform.enqueue(tx, { name: 'erase-person', payload: { erasureId } }))
    const receipt = await eventually(async () => {
      const [read] = await app.db.query<{ state: string; counts: object; pattern: null; marks: null }>(
        sql`select state, counts, pattern, marks from connect_erasure where id = ${erasureId}::bigint`,
      )
      return read?.state === 'done' ? read : undefined
    })
    expect(receipt).toEqual({ state: 'done', counts: { 'helpdesk.ticket': 4 }, pattern: null, marks: null })
    const names = await app.admin.ask<object[]>('helpdesk.ticket', 'read', { ids: [before, after], fields: ['name'] })
    expect(names).toMatchObject([{ name: 'Call +14155550777' }, { name: 'Call ••• again' }])
  })
})

it('every model is decided: looked through for people, or what somebody set up here', () => {
  const nobody = { sought: { names: [], numbers: [], emails: [] }, linked: {} }
  const searched = searchOf(app.app.platform, nobody).models.map(({ name }) => name)
  expect(searched.sort()).toEqual([
    'calendar.event',
    'connect.attachment',
    'connect.call',
    'connect.channel',
    'connect.conversation',
    'connect.debug',
    'connect.delivery',
    'connect.favorite',
    'connect.inbox',
    'connect.message',
    'connect.notice',
    'connect.recording',
    'connect.voiceai_question',
    'connect.voiceai_trial',
    'connect.voicemail',
    'helpdesk.ticket',
    'mail.message',
    'res.partner',
  ])
})
