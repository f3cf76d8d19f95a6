// The shapes of POST /json/2/<model>/<method>, as docs/api.md describes them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertRow } from '../support/rows.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: Caller

beforeAll(async () => {
  app = await TestApp.start()
  admin = app.admin
})
afterAll(() => app.stop())

async function readOne<Row = Record<string, unknown>>(model: string, id: number, fields: string[]): Promise<Row> {
  const rows = await admin.ask<Row[]>(model, 'read', { ids: [id], fields })
  return rows[0] as Row
}

describe('create', () => {
  it('answers an id for one object, and ids in their order for a list', async () => {
    const one = await admin.ask('res.partner', 'create', { vals_list: { name: 'One' } })
    expect(one).toEqual(expect.any(Number))
    const many = await admin.ask<number[]>('res.partner', 'create', { vals_list: [{ name: 'A' }, { name: 'B' }] })
    const rows = await admin.ask('res.partner', 'read', { ids: many, fields: ['name'] })
    expect(rows).toEqual([
      { id: many[0], name: 'A' },
      { id: many[1], name: 'B' },
    ])
    expect(await admin.ask('res.partner', 'create', { vals_list: [] })).toEqual([])
  })

  it('fills defaults, and who created it and when', async () => {
    const caller = await app.person(['connect.group_admin'], { name: 'Maker' })
    const id = await caller.ask<number>('res.partner', 'create', { vals_list: { name: 'X' } })
    const row = await readOne('res.partner', id, ['active', 'is_company', 'create_uid', 'create_date', 'write_date'])
    expect(row).toEqual({
      id,
      active: true,
      is_company: false,
      create_uid: [caller.userId, 'Maker'],
      create_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      write_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    })
  })
})

describe('write and unlink', () => {
  it('answer true and do it to every record named', async () => {
    const ids = await admin.ask<number[]>('res.partner', 'create', { vals_list: [{ name: 'A' }, { name: 'B' }] })
    expect(await admin.ask('res.partner', 'write', { ids, vals: { email: 'x@example.com' } })).toBe(true)
    const rows = await admin.ask<{ email: string }[]>('res.partner', 'read', { ids })
    expect(rows.map((row) => row.email)).toEqual(['x@example.com', 'x@example.com'])
    expect(await admin.ask('res.partner', 'unlink', { ids })).toBe(true)
    expect((await admin.call('res.partner', 'read', { ids })).status).toBe(404)
  })

  it('leave alone what is not named', async () => {
    const id = await admin.ask<number>('res.partner', 'create', { vals_list: { name: 'A', email: 'a@example.com' } })
    await admin.ask('res.partner', 'write', { ids: [id], vals: { name: 'B' } })
    expect(await readOne('res.partner', id, ['name', 'email'])).toEqual({ id, name: 'B', email: 'a@example.com' })
    expect(await admin.ask('res.partner', 'write', { ids: [id], vals: {} })).toBe(true)
  })

  it('take one id where a list is due', async () => {
    const id = await admin.ask<number>('res.partner', 'create', { vals_list: { name: 'A' } })
    expect(await admin.ask('res.partner', 'write', { ids: id, vals: { name: 'B' } })).toBe(true)
    expect(await admin.ask('res.partner', 'read', { ids: id, fields: ['name'] })).toEqual([{ id, name: 'B' }])
  })
})

describe('search, search_count, search_read, read, name_search', () => {
  it('page, sort and choose fields', async () => {
    const names = ['s-c', 's-a', 's-b', 's-d']
    const ids = await admin.ask<number[]>('res.partner', 'create', { vals_list: names.map((name) => ({ name })) })
    const domain = [['name', 'in', names]]
    expect(await admin.ask('res.partner', 'search', { domain })).toEqual([ids[1], ids[2], ids[0], ids[3]])
    expect(await admin.ask('res.partner', 'search', { domain, order: 'name desc, id' })).toEqual(
      [ids[1], ids[2], ids[0], ids[3]].reverse(),
    )
    expect(await admin.ask('res.partner', 'search_count', { domain })).toBe(4)
    expect(await admin.ask('res.partner', 'search_count', { domain, limit: 3 })).toBe(3)
    const page = { domain, fields: ['name'], offset: 1, limit: 2, order: 'name' }
    expect(await admin.ask('res.partner', 'search_read', page)).toEqual([
      { id: ids[2], name: 's-b' },
      { id: ids[0], name: 's-c' },
    ])
    expect(await admin.ask('res.partner', 'search', { domain, limit: null, order: null })).toHaveLength(4)
    expect(await admin.ask('res.partner', 'search', { domain, order: '' })).toHaveLength(4)
  })

  it('read in the order of the ids, without fields all but heavy ones', async () => {
    const file = await admin.ask<number>('connect.voiceai_file', 'create', {
      vals_list: { text: 'Hello', file: Buffer.from('audio').toString('base64') },
    })
    const [row] = await admin.ask<object[]>('connect.voiceai_file', 'read', { ids: [file] })
    expect(Object.keys(row ?? {})).toEqual(
      expect.arrayContaining(['id', 'display_name', 'text', 'filename', 'create_date']),
    )
    expect(row).not.toHaveProperty('file')
    expect(await readOne('connect.voiceai_file', file, ['file'])).toEqual({ id: file, file: 'YXVkaW8=' })
    const [a, b] = await admin.ask<[number, number]>('res.partner', 'create', {
      vals_list: [{ name: 'A' }, { name: 'B' }],
    })
    expect(await admin.ask('res.partner', 'read', { ids: [b, a], fields: ['id', 'name'] })).toEqual([
      { id: b, name: 'B' },
      { id: a, name: 'A' },
    ])
    expect(await admin.ask('res.partner', 'read', { ids: [], fields: ['name'] })).toEqual([])
  })

  it('find by name, as pairs of id and name', async () => {
    const id = await admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Zacharias 100% O_k' } })
    for (const name of ['zachar', '100%', 'O_k', 'ZACHARIAS']) {
      expect(await admin.ask('res.partner', 'name_search', { name })).toEqual([[id, 'Zacharias 100% O_k']])
    }
    expect(await admin.ask('res.partner', 'name_search', { name: '1%0' })).toEqual([])
    const exact = { name: 'Zacharias 100% O_k', operator: '=' }
    expect(await admin.ask('res.partner', 'name_search', exact)).toEqual([[id, 'Zacharias 100% O_k']])
    expect(await admin.ask('res.partner', 'name_search', { ...exact, name: 'Zacharias' })).toEqual([])
    expect((await admin.call('res.partner', 'name_search', { name: 'x', operator: '~' })).status).toBe(422)
    const domain = [['id', '!=', id]]
    expect(await admin.ask('res.partner', 'name_search', { name: 'zachar', domain })).toEqual([])
    expect(await admin.ask('res.partner', 'name_search', { limit: 1 })).toHaveLength(1)
    const broken = await admin.call('res.partner', 'name_search', { name: 'zachar', domain: ['|', ['id', '>', 0]] })
    expect(broken.status).toBe(422)
  })

  it('find records that are named by their number', async () => {
    const id = await insertRow(app.db, 'connect_recording', { status: 'completed' })
    expect(await admin.ask('connect.recording', 'name_search', { name: String(id) })).toEqual([[id, `Recording ${id}`]])
    expect(await admin.ask('connect.recording', 'name_search', { name: `Recording ${id}` })).toHaveLength(1)
    expect(await admin.ask('connect.recording', 'name_search', { name: 'none' })).toEqual([])
    expect(await admin.ask('connect.recording', 'name_search', { name: '9'.repeat(40) })).toEqual([])
  })
})

describe('fields_get', () => {
  it('describes fields as clients need them', async () => {
    const fields = await admin.ask<Record<string, object>>('helpdesk.ticket', 'fields_get')
    expect(fields.id).toMatchObject({ type: 'integer', readonly: true, help: null })
    expect(fields.name).toMatchObject({ type: 'char', string: 'Subject', required: true, readonly: false, store: true })
    expect(fields.partner_id).toMatchObject({ type: 'many2one', relation: 'res.partner' })
    expect(fields.connect_calls).toMatchObject({ type: 'one2many', relation: 'connect.call', relation_field: 'ticket' })
    expect(fields.connect_calls_count).toMatchObject({ type: 'integer', readonly: true, store: false })
    expect(fields.priority).toMatchObject({
      type: 'selection',
      selection: [
        ['0', 'Low'],
        ['1', 'Medium'],
        ['2', 'High'],
        ['3', 'Urgent'],
      ],
    })
  })

  it('fields_get says the limits, the default, and what can be written, searched and sorted by', async () => {
    const partner = await admin.ask<Record<string, object>>('res.partner', 'fields_get')
    expect(partner.lang).toMatchObject({
      pattern: expect.any(String),
      pattern_says: 'a code such as de_DE',
      writable: true,
      searchable: true,
      sortable: true,
      heavy: false,
    })
    const ticket = await admin.ask<Record<string, object>>('helpdesk.ticket', 'fields_get')
    expect(ticket.priority).toMatchObject({ default: '0' })
    expect(ticket.connect_calls).toMatchObject({ searchable: true, sortable: false })
    expect(ticket.connect_calls_count).toMatchObject({ writable: false, searchable: false, sortable: false })
    const settings = await admin.ask<Record<string, object>>('connect.settings', 'fields_get')
    expect(settings.delivery_keep_days).toMatchObject({ min: 1, max: expect.any(Number), default: expect.any(Number) })
    expect(settings.auth_token).toMatchObject({ writable: true, searchable: false, sortable: false })
    expect(settings.auth_token).not.toHaveProperty('default')
    const connectAdmin = await app.person(['connect.group_admin'])
    const theirs = await connectAdmin.ask<Record<string, object>>('connect.settings', 'fields_get')
    expect(theirs.auth_token).toMatchObject({ writable: false })
  })

  it('gives the fields and attributes asked for', async () => {
    const args = { allfields: ['name'], attributes: ['type', 'string'] }
    expect(await admin.ask('helpdesk.ticket', 'fields_get', args)).toEqual({
      name: { type: 'char', string: 'Subject' },
    })
  })
})

describe('values', () => {
  it('links read as [id, name], are written as an id or as they are read, and are cleared by null', async () => {
    const company = await admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Company' } })
    const id = await admin.ask<number>('res.partner', 'create', { vals_list: { name: 'P', parent_id: company } })
    const link = [company, 'Company']
    expect(await readOne('res.partner', id, ['parent_id'])).toEqual({ id, parent_id: link })
    for (const [value, read] of [
      [null, null],
      [link, link],
      [false, null],
    ]) {
      await admin.ask('res.partner', 'write', { ids: [id], vals: { parent_id: value } })
      expect(await readOne('res.partner', id, ['parent_id'])).toEqual({ id, parent_id: read })
    }
  })

  it('links to many read as ids and are written as ids or commands', async () => {
    const people = await admin.ask<number[]>('res.partner', 'create', {
      vals_list: [{ name: 'A' }, { name: 'B' }, { name: 'C' }],
    })
    const [a, b, c] = people as [number, number, number]
    const event = await admin.ask<number>('calendar.event', 'create', {
      vals_list: {
        name: 'M',
        start: '2030-01-01 10:00:00',
        stop: '2030-01-01 11:00:00',
        user_id: null,
        partner_ids: [b, a],
      },
    })
    const cases: [unknown, number[]][] = [
      [undefined, [a, b]],
      [[[4, c]], [a, b, c]],
      [
        [
          [4, c],
          [4, c, 0],
        ],
        [a, b, c],
      ],
      [[[3, a]], [b, c]],
      [[[3, a, 0]], [b, c]],
      [[[6, 0, [a]]], [a]],
      [[[5]], []],
      [
        [
          [5, 0, 0],
          [4, b],
        ],
        [b],
      ],
      [
        [c, a],
        [a, c],
      ],
      [[], []],
      [[a], [a]],
      [null, []],
    ]
    for (const [value, expected] of cases) {
      if (value !== undefined)
        await admin.ask('calendar.event', 'write', { ids: [event], vals: { partner_ids: value } })
      expect(await readOne('calendar.event', event, ['partner_ids'])).toEqual({ id: event, partner_ids: expected })
    }
  })

  it('date-times are UTC to the second, with a T, a Z and a bare date understood', async () => {
    const event = await admin.ask<number>('calendar.event', 'create', {
      vals_list: { name: 'M', start: '2030-01-01 10:00:00', stop: '2030-06-01 10:00:00' },
    })
    for (const [written, read] of [
      ['2030-02-03 04:05:06', '2030-02-03 04:05:06'],
      ['2030-02-03T04:05:06Z', '2030-02-03 04:05:06'],
      ['2030-02-03 04:05', '2030-02-03 04:05:00'],
      ['2030-02-03', '2030-02-03 00:00:00'],
      ['2030-02-03 04:05:06.789', '2030-02-03 04:05:06'],
    ]) {
      await admin.ask('calendar.event', 'write', { ids: [event], vals: { start: written } })
      expect(await readOne('calendar.event', event, ['start'])).toEqual({ id: event, start: read })
    }
  })

  it('values that are empty are null, a boolean without a value is false, and a blank text is no text', async () => {
    const [a, b] = await admin.ask<[number, number]>('res.partner', 'create', {
      vals_list: [
        { name: 'A', email: '' },
        { name: 'B', phone: '   ', comment: false, is_company: null },
      ],
    })
    expect(await readOne('res.partner', a, ['email', 'phone', 'parent_id', 'is_company', 'child_ids'])).toEqual({
      id: a,
      email: null,
      phone: null,
      parent_id: null,
      is_company: false,
      child_ids: [],
    })
    expect(await readOne('res.partner', b, ['phone', 'comment', 'is_company'])).toEqual({
      id: b,
      phone: null,
      comment: null,
      is_company: false,
    })
    const empty = await admin.ask<number[]>('res.partner', 'search', { domain: [['email', '=', '']] })
    expect(empty).toEqual(expect.arrayContaining([a, b]))
    expect(empty).toEqual(await admin.ask('res.partner', 'search', { domain: [['email', '=', false]] }))
  })

  it('values that are blank do not clash on a unique field, values do', async () => {
    const agent = { name: 'N', prompt: 'P', voice: await insertRow(app.db, 'connect_voiceai_voice', { voice_id: 'w' }) }
    const blank = [{ ...agent, agent_uid: '' }, { ...agent, agent_uid: ' ' }, agent]
    expect(await admin.ask('connect.voiceai_agent', 'create', { vals_list: blank })).toHaveLength(3)
    const taken = [
      { ...agent, agent_uid: 'u' },
      { ...agent, agent_uid: 'u' },
    ]
    const answer = await admin.call('connect.voiceai_agent', 'create', { vals_list: taken })
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { message: 'Another record of connect.voiceai_agent has the same "agent_uid".' },
    ])
  })
})

describe('context', () => {
  it('a call is named by when it began, and by when it was written down where nobody reported that', async () => {
    const began = { started_at: '2030-01-01 11:58:30', create_date: '2030-01-01 12:00:00' }
    const id = await insertRow(app.db, 'connect_call', { status: 'completed', ...began })
    const read = { ids: [id], fields: ['name', 'display_name'] }
    const name = 'Completed call at 2030-01-01 11:58:30'
    expect(await admin.ask('connect.call', 'read', read)).toEqual([{ id, name, display_name: name }])
  })

  it('the context is a hint that calls may carry', async () => {
    const id = await insertRow(app.db, 'connect_call', { status: 'completed', create_date: '2030-01-01 12:00:00' })
    const read = { ids: [id], fields: ['name'] }
    const [utc] = await admin.ask<{ name: string }[]>('connect.call', 'read', read)
    expect(utc?.name).toBe('Completed call at 2030-01-01 12:00:00')
    const context = { tz: 'Europe/Zurich', lang: 'de_CH', anything: { else: [1] } }
    const [local] = await admin.ask<{ name: string }[]>('connect.call', 'read', { ...read, context })
    expect(local?.name).toBe('Completed call at 2030-01-01 13:00:00')
    expect((await admin.call('connect.call', 'read', { ...read, context: { tz: 'Nowhere/Else' } })).status).toBe(200)
    expect((await admin.call('connect.call', 'read', { ...read, context: null })).status).toBe(200)
  })
})

describe('chatter', () => {
  it('posts text that is shown and not obeyed, and lists it newest first', async () => {
    const caller = await app.person(['connect.group_user'], { name: 'Poster' })
    const id = await caller.ask<number>('res.partner', 'create', { vals_list: { name: 'Zoe' } })
    const first = await caller.ask<number>('res.partner', 'message_post', { ids: [id], body: 'one\u0000' })
    const body = '<img src=x onerror=alert(1)> & "more"\nnext line\n\nnext paragraph'
    const second = await caller.ask<number>('res.partner', 'message_post', { ids: [id], body, subtype: 'comment' })
    const posts = await caller.ask('res.partner', 'message_list', { ids: [id] })
    expect(posts).toMatchObject([
      {
        id: second,
        res_id: id,
        body: '<p>&lt;img src=x onerror=alert(1)&gt; &amp; &quot;more&quot;<br>next line</p><p>next paragraph</p>',
        message_type: 'comment',
        subtype: 'comment',
        author: 'Poster',
      },
      { id: first, body: '<p>one</p>', subtype: 'note' },
    ])
    expect(await caller.ask('res.partner', 'message_list', { ids: [id], limit: 1 })).toHaveLength(1)
  })
})
