// Who reads which text messages, by every way there is: anyone who sees a conversation reads all that was sent in it, and nobody else
// does; that somebody is answering in it is heard by the same people.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { GROUP } from '../../src/platform/access/identity.ts'
import { aPartner, aSid } from '../fixtures/records.ts'
import { type HeardStream, streamOf } from '../support/live-stream.ts'
import { insertRow } from '../support/rows.ts'
import { type Caller, eventually, TestApp } from '../support/test-app.ts'

const OURS = '+41310000001'
const MESSAGES = [
  'a customer’s',
  'a colleague’s answer',
  'an automatic answer',
  'a colleague’s alone',
  'a colleague’s, assigned',
  'a colleague’s draft',
  'one’s own alone',
  'in no conversation',
] as const
type Name = (typeof MESSAGES)[number]

const OF_EVERYBODY: Name[] = ['a customer’s', 'a colleague’s answer', 'an automatic answer', 'in no conversation']
const OF_USER: Name[] = [...OF_EVERYBODY, 'a colleague’s, assigned', 'one’s own alone']

const READERS: readonly (readonly [groups: readonly string[], reads: readonly Name[]])[] = [
  [[GROUP.connectUser], OF_USER],
  [[GROUP.connectUser, GROUP.helpdeskUser], OF_USER],
  [[GROUP.connectAdmin], MESSAGES],
  [[GROUP.helpdeskUser], []],
  [[GROUP.helpdeskManager], []],
  [[GROUP.agentCalls], []],
  [[GROUP.manager], []],
  [[], []],
]

interface Made {
  id: number
  conversation: number | null
  body: string
}

let app: TestApp
const people = new Map<readonly string[], Caller>()
/** What there is for each of the people, who each have own messages. */
const made = new Map<readonly string[], Record<Name, Made>>()
let ben: Caller
let partner: number

beforeAll(async () => {
  app = await TestApp.start()
  ben = await app.person([GROUP.connectUser], { name: 'Ben' })
  partner = await aPartner(app, { phone: '+41310000100', name: 'Zoe' })
  for (const [at, [groups]] of READERS.entries()) {
    const person = await app.person(groups)
    people.set(groups, person)
    made.set(groups, await makeAll(person.userId, at))
  }
})
afterAll(() => app.stop())

async function makeAll(me: number, at: number): Promise<Record<Name, Made>> {
  const open = await conversation(`+4131000${at}001`, { last_open: 1 })
  const alone = await conversation(`+4131000${at}002`)
  const assigned = await conversation(`+4131000${at}003`, { assigned: me })
  const own = await conversation(`+4131000${at}004`)
  for (const each of [assigned, own])
    await insertRow(app.db, 'connect_conversation_reader', { conversation: each, user: me })
  const sent = { status: 'sent', direction: 'outgoing', attempt: 1, sender_user: ben.userId }
  return {
    'a customer’s': await message(open, { status: 'received', direction: 'incoming' }),
    'a colleague’s answer': await message(open, sent),
    'an automatic answer': await message(open, { ...sent, sender_user: null }),
    'a colleague’s alone': await message(alone, sent),
    'a colleague’s, assigned': await message(assigned, sent),
    'a colleague’s draft': await message(null, { ...sent, status: 'draft', attempt: 0 }),
    'one’s own alone': await message(own, { ...sent, sender_user: me }),
    'in no conversation': await message(null, { ...sent, sender_user: null }),
  }
}

function conversation(theirs: string, values: Record<string, unknown> = {}): Promise<number> {
  return insertRow(app.db, 'connect_conversation', { channel: 'sms', ours: OURS, theirs, partner, ...values })
}

async function message(talk: number | null, values: Record<string, unknown>): Promise<Made> {
  const body = `Words ${aSid()}`
  const parties = { from_number: OURS, to_number: '+41310000100', partner, body, conversation: talk }
  const id = await insertRow(app.db, 'connect_message', { ...parties, message_sid: aSid('SM'), ...values })
  const newest = sql`update connect_conversation set last_message = ${id}::bigint where id = ${talk}::bigint`
  if (talk !== null) await app.db.query(newest)
  return { id, conversation: talk, body }
}

type Way = (person: Caller, rows: Record<Name, Made>) => Promise<Name[]>

function namesOf(rows: Record<Name, Made>, ids: readonly unknown[]): Name[] {
  return MESSAGES.filter((name) => ids.includes(rows[name].id))
}

const idsOf = (rows: Record<Name, Made>): number[] => MESSAGES.map((name) => rows[name].id)

async function found(person: Caller, domain: unknown, options: object = {}): Promise<number[]> {
  const { status, body } = await person.call('connect.message', 'search_read', { domain, fields: ['body'], ...options })
  return status === 200 ? (body as { id: number }[]).map(({ id }) => id) : []
}

const WAYS: Readonly<Record<string, Way>> = {
  list: async (person, rows) => namesOf(rows, await found(person, [['id', 'in', idsOf(rows)]])),
  'list sorted by another field': async (person, rows) =>
    namesOf(rows, await found(person, [['id', 'in', idsOf(rows)]], { order: 'create_date' })),
  'words of it': async (person, rows) => {
    const names: Name[] = []
    for (const name of MESSAGES) {
      if ((await found(person, [['body', 'ilike', rows[name].body]])).length > 0) names.push(name)
    }
    return names
  },
  read: async (person, rows) => {
    const names: Name[] = []
    for (const name of MESSAGES) {
      const { status } = await person.call('connect.message', 'read', { ids: [rows[name].id] })
      if (status === 200) names.push(name)
      else expect([403, 404], name).toContain(status)
    }
    return names
  },
  count: async (person, rows) => {
    const names: Name[] = []
    for (const name of MESSAGES) {
      const { body } = await person.call('connect.message', 'search_count', { domain: [['id', '=', rows[name].id]] })
      if (body === 1) names.push(name)
    }
    return names
  },
  groups: async (person, rows) => {
    const asked = { domain: [['id', 'in', idsOf(rows)]], by: ['message_sid'] }
    const { status, body } = await person.call('connect.message', 'read_group', asked)
    const sids = await app.db.query<{ id: number; sid: string }>(
      sql`select id, message_sid as sid from connect_message`,
    )
    const seen = status === 200 ? (body as { message_sid: string }[]).map((group) => group.message_sid) : []
    return namesOf(
      rows,
      sids.filter(({ sid }) => seen.includes(sid)).map(({ id }) => id),
    )
  },
  'the story of the contact': async (person, rows) => {
    const asked = { ids: [partner], limit: 200, models: ['connect.message'] }
    const { status, body } = await person.call('res.partner', 'story', asked)
    return status === 200
      ? namesOf(
          rows,
          (body as { entries: { id: number }[] }).entries.map(({ id }) => id),
        )
      : []
  },
  'a path from another message': async (person, rows) => {
    const answers = await Promise.all(
      MESSAGES.map((name) => message(null, { sender_user: null, parent_message: rows[name].id })),
    )
    const names: Name[] = []
    for (const [at, { id }] of answers.entries()) {
      const name = MESSAGES[at] as Name
      const asked = [
        ['id', '=', id],
        ['parent_message.body', '=', rows[name].body],
      ]
      if ((await found(person, asked)).length > 0) names.push(name)
    }
    return names
  },
  export: async (person, rows) => {
    const ids: number[] = []
    const domain = [['id', 'in', idsOf(rows)]]
    for (let offset = 0; offset <= MESSAGES.length; offset += 2) {
      ids.push(...(await found(person, domain, { limit: 2, offset, order: 'id desc' })))
    }
    return namesOf(rows, ids)
  },
}

/** What is heard of them, before something that everybody hears. */
async function heardBy(stream: HeardStream, person: Caller, rows: Record<Name, Made>): Promise<Name[]> {
  await app.db.transaction(async (tx) => {
    for (const each of [
      { model: 'connect.message', ids: idsOf(rows) },
      { model: 'res.users', ids: [person.userId] },
    ]) {
      await tx.notify('connect_records', JSON.stringify(each))
    }
  })
  await stream.hearChange(({ model }) => model === 'res.users')
  const heard = stream.changes.filter(({ model }) => model === 'connect.message').flatMap(({ ids }) => ids ?? [])
  return namesOf(rows, heard)
}

describe.each(READERS)('people in %j', (groups, reads) => {
  const person = (): Caller => people.get(groups) as Caller
  const rows = (): Record<Name, Made> => made.get(groups) as Record<Name, Made>
  const expected = MESSAGES.filter((name) => reads.includes(name))

  it.each(Object.keys(WAYS))('people read the messages of their conversations and no other by: %s', async (way) => {
    expect(await WAYS[way]?.(person(), rows())).toEqual(expected)
  })

  it('people are listed the conversations whose messages they read', async () => {
    const { status, body } = await person().call('connect.message', 'conversations', { limit: 100 })
    const listed = status === 200 ? (body as { id: number; last: { id: number } }[]) : []
    const own = new Set(MESSAGES.flatMap((name) => rows()[name].conversation ?? []))
    const wanted = new Set(expected.flatMap((name) => rows()[name].conversation ?? []))
    expect(new Set(listed.map(({ id }) => id).filter((id) => own.has(id)))).toEqual(wanted)
    const last = listed.find(({ id }) => id === rows()['a customer’s'].conversation)?.last.id
    if (expected.length > 0) expect(last).toBe(rows()['an automatic answer'].id)
  })

  it('people hear of changes of the messages they read, and who is answering them', async () => {
    const stream = await streamOf(app, person().userId)
    expect(await heardBy(stream, person(), rows())).toEqual(expected)
    const { 'a customer’s': open, 'a colleague’s alone': alone } = rows()
    const said = await ben.call('connect.conversation', 'answering', { ids: [open.conversation] })
    expect(said.status).toBe(200)
    for (const id of [alone.conversation, open.conversation]) {
      const notice = { model: 'connect.conversation', id, user: ben.userId, name: 'Ben', isOver: false }
      await app.db.transaction((tx) => tx.notify('connect_presence', JSON.stringify(notice)))
    }
    const change = { model: 'res.users', ids: [person().userId] }
    const before = stream.changes.length
    await app.db.transaction((tx) => tx.notify('connect_records', JSON.stringify(change)))
    await eventually(async () => stream.changes.length > before)
    const heard = () =>
      stream.events.flatMap(({ event, data }) => (event === 'present' ? (data.people as { id: number }[]) : []))
    if (expected.length > 0) await eventually(async () => heard().some(({ id }) => id === open.conversation))
    const seesAll = expected.length === MESSAGES.length
    const ids = new Set(heard().map(({ id }) => id))
    expect(ids.has(open.conversation as number)).toBe(expected.length > 0)
    if (!seesAll) expect(ids.has(alone.conversation as number)).toBe(false)
    stream.close()
  })

  it('people say that they answer only where they see the conversation, and hear nothing of themselves', async () => {
    const stream = await streamOf(app, person().userId)
    const { 'a customer’s': open, 'a colleague’s alone': alone } = rows()
    const said = async (id: number | null) =>
      (await person().call('connect.conversation', 'answering', { ids: [id] })).status
    const statuses = [await said(open.conversation), await said(alone.conversation)]
    if (expected.length === 0) for (const status of statuses) expect([403, 404]).toContain(status)
    else expect(statuses).toEqual([200, expected.length === MESSAGES.length ? 200 : 404])
    const change = { model: 'res.users', ids: [person().userId] }
    await app.db.transaction((tx) => tx.notify('connect_records', JSON.stringify(change)))
    await stream.hearChange(({ model }) => model === 'res.users')
    expect(stream.events.filter(({ event }) => event === 'present')).toEqual([])
    stream.close()
  })
})

it('a colleague hears that somebody answers, under their name, and that they are done', async () => {
  const [groups = []] = READERS[0] ?? []
  const anna = people.get(groups) as Caller
  const id = made.get(groups)?.['a customer’s'].conversation
  const stream = await streamOf(app, anna.userId)
  const heard = () => stream.events.flatMap(({ event, data }) => (event === 'present' ? (data.people as object[]) : []))
  await ben.ask('connect.conversation', 'answering', { ids: [id] })
  await eventually(async () => heard().length === 1)
  await ben.ask('connect.conversation', 'answering', { ids: [id], is_over: true })
  await eventually(async () => heard().length === 2)
  const of = { model: 'connect.conversation', id, user: ben.userId, name: 'Ben' }
  expect(heard()).toEqual([
    { ...of, for_ms: 8_000 },
    { ...of, for_ms: 0 },
  ])
  stream.close()
})
