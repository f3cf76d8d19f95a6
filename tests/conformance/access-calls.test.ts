// Who reads which calls, by every way there is (docs/reference/domain.md#access): one's own, those of tickets for the person who reads
// the ticket, those of agents with the right to, and nobody a colleague's; what belongs to a call follows it.
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { GROUP } from '../../src/platform/access/identity.ts'
import { MediaStore } from '../../src/platform/media/media-store.ts'
import { aNumber, aSid, aVoiceAgent } from '../fixtures/records.ts'
import { streamOf } from '../support/live-stream.ts'
import { insertRow } from '../support/rows.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

const CALLS = [
  'own',
  'agent’s',
  'agent’s failed',
  'agent’s live',
  'colleague’s',
  'colleague’s with an agent',
  'agent’s, then a colleague’s',
  'agent’s, then a stranger’s',
  'missed',
  'ticket’s',
  'agent’s of a ticket',
] as const
type Name = (typeof CALLS)[number]

const AGENTS: Name[] = ['agent’s', 'agent’s failed', 'agent’s live', 'agent’s of a ticket']
const TICKETS: Name[] = ['ticket’s', 'agent’s of a ticket']
const OWN: Name[] = ['own']

/** Every group of people, and those that are often joined. */
const READERS: readonly (readonly [groups: readonly string[], reads: readonly Name[] | 'nothing' | 'all'])[] = [
  [[GROUP.connectUser], OWN],
  [[GROUP.helpdeskUser], TICKETS],
  [[GROUP.helpdeskManager], TICKETS],
  [[GROUP.agentCalls], AGENTS],
  [
    [GROUP.connectUser, GROUP.helpdeskUser],
    [...OWN, ...TICKETS],
  ],
  [
    [GROUP.connectUser, GROUP.agentCalls],
    [...OWN, ...AGENTS],
  ],
  [
    [GROUP.connectUser, GROUP.helpdeskManager, GROUP.agentCalls],
    [...OWN, ...AGENTS, 'ticket’s'],
  ],
  [[GROUP.connectAdmin], 'all'],
  [[GROUP.manager], 'nothing'],
  [[], 'nothing'],
]

interface Made {
  call: number
  caller: string
  recording: number
  voicemail: number
  leg: number
}

let app: TestApp
const made = {} as Record<Name, Made>
const people = new Map<readonly string[], Caller>()
const SOUND = Buffer.from('what was said')
let sound = ''

beforeAll(async () => {
  app = await TestApp.start()
  sound = await new MediaStore(app.config.mediaDir).store(Readable.from([SOUND]), 'mp3')
  for (const [groups] of READERS) people.set(groups, await app.person(groups))
  const ben = (await app.person([GROUP.connectUser], { name: 'Ben' })).userId
  const agent = await aVoiceAgent(app, 'agent_readers')
  const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Leak' } })
  const talked = { voiceai_agent: agent, conversation_seconds: 12, legs_outcome: 'agent' }
  const conversation = () => ({ ...talked, voiceai_conversation_id: aSid('conv_') })
  await make('own', { legs_outcome: 'person' })
  await make('agent’s', conversation())
  await make('agent’s failed', { ...conversation(), conversation_failed: true })
  await make('agent’s live', { voiceai_agent: agent, legs_outcome: 'in_progress', status: 'in-progress' })
  await make('colleague’s', { answered_user: ben, legs_outcome: 'person' })
  await make('colleague’s with an agent', { ...conversation(), caller_user: ben, direction: 'internal' })
  await make('agent’s, then a colleague’s', { ...conversation(), answered_user: ben, legs_outcome: 'agent_person' })
  await make('agent’s, then a stranger’s', { ...conversation(), legs_outcome: 'agent_person' })
  await make('missed', { legs_outcome: 'missed', status: 'no-answer' })
  await make('ticket’s', { answered_user: ben, ticket, legs_outcome: 'person' })
  await make('agent’s of a ticket', { ...conversation(), ticket })
  for (const { userId } of people.values()) await isRung(made.own.call, userId)
})
afterAll(() => app.stop())

/** A call with a leg, a recording and a voicemail, of which nobody but the call says whose they are. */
async function make(name: Name, values: Record<string, unknown>): Promise<void> {
  const caller = aNumber()
  const url = `https://audio.example/${aSid()}`
  const call = await insertRow(app.db, 'connect_call', {
    ...{ caller, called: '+41310000000', direction: 'incoming', status: 'completed', voicemail_url: url },
    ...values,
  })
  const sid = aSid()
  const leg = await insertRow(app.db, 'connect_channel', { sid, call, status: 'completed' })
  const recording = await insertRow(app.db, 'connect_recording', {
    ...{ sid: aSid('RE'), call, media_ref: sound, media_type: 'audio/mpeg', transcript: `What ${name} said` },
  })
  const voicemail = await insertRow(app.db, 'connect_voicemail', {
    ...{ sid: aSid('RE'), call_sid: sid, call, url, duration: 3, media_ref: sound, media_type: 'audio/mpeg' },
  })
  made[name] = { call, caller, leg, recording, voicemail }
}

async function isRung(call: number, user: number): Promise<void> {
  await app.db.query(
    sql`insert into connect_call_called_users_rel (call_id, user_id) values (${call}::bigint, ${user}::bigint)`,
  )
}

const idsOf = (part: keyof Omit<Made, 'caller'>): number[] => CALLS.map((name) => made[name][part])
const namesOf = (part: keyof Made, found: readonly unknown[]): Name[] =>
  CALLS.filter((name) => found.includes(made[name][part]))

/** The calls for which it is answered with 200; all else is 404 or, without any right to the model, 403. */
async function answered(ask: (each: Made) => Promise<{ status: number }>): Promise<Name[]> {
  const names: Name[] = []
  for (const name of CALLS) {
    const { status } = await ask(made[name])
    if (status === 200) names.push(name)
    else expect([403, 404], name).toContain(status)
  }
  return names
}

async function idsFound(person: Caller, model: string, domain: unknown): Promise<number[]> {
  const { status, body } = await person.call(model, 'search_read', { domain, fields: ['id'] })
  if (status === 403) return []
  return (body as { id: number }[]).map(({ id }) => id)
}

/** Ways of the API to a call, each with the calls that somebody reads by it. */
const WAYS: Readonly<Record<string, (person: Caller) => Promise<Name[]>>> = {
  list: async (person) => namesOf('call', await idsFound(person, 'connect.call', [['id', 'in', idsOf('call')]])),
  'list sorted by another field': async (person) => {
    const found = await person.call('connect.call', 'search', { domain: [['caller', '!=', '']], order: 'caller' })
    return found.status === 403 ? [] : namesOf('call', found.body as number[])
  },
  read: (person) => answered(({ call }) => person.call('connect.call', 'read', { ids: [call] })),
  transcript: async (person) => {
    const asked = { domain: [['id', 'in', idsOf('call')]], fields: ['transcript'] }
    const { status, body } = await person.call('connect.call', 'search_read', asked)
    const rows = status === 403 ? [] : (body as { id: number; transcript: string | null }[])
    return namesOf(
      'call',
      rows.filter(({ transcript }) => transcript !== null).map(({ id }) => id),
    )
  },
  timeline: (person) => answered(({ call }) => person.call('connect.call', 'timeline', { ids: [call] })),
  why: (person) => answered(({ call }) => person.call('connect.call', 'explain', { ids: [call] })),
  notes: (person) => answered(({ call }) => person.call('connect.call', 'message_list', { ids: [call] })),
  recordings: async (person) =>
    namesOf('recording', await idsFound(person, 'connect.recording', [['call', 'in', idsOf('call')]])),
  'a recording': (person) =>
    answered(({ recording }) => person.call('connect.recording', 'read', { ids: [recording] })),
  'search in transcripts': async (person) =>
    namesOf('recording', await idsFound(person, 'connect.recording', [['transcript', 'like', 'said']])),
  voicemails: async (person) =>
    namesOf('voicemail', await idsFound(person, 'connect.voicemail', [['call', 'in', idsOf('call')]])),
  'audio of a recording': (person) => answered(({ recording }) => hear(person, `/connect/recording/${recording}`)),
  'audio of a voicemail': (person) => answered(({ voicemail }) => hear(person, `/connect/voicemails/${voicemail}`)),
  'audio of the newest voicemail': (person) => answered(({ call }) => hear(person, `/connect/voicemail/${call}`)),
  'paths from another record': async (person) => {
    const found = await idsFound(person, 'connect.recording', [['call.caller', 'in', CALLS.map((n) => made[n].caller)]])
    return namesOf('recording', found)
  },
  search: async (person) => {
    const found: number[] = []
    for (const name of CALLS) {
      const { body } = await app.post(
        '/api/search',
        { text: made[name].caller },
        { authorization: `bearer ${person.key}` },
      )
      found.push(
        ...(body as { model: string; id: number }[]).flatMap((hit) => (hit.model === 'connect.call' ? hit.id : [])),
      )
    }
    return namesOf('call', found)
  },
  groups: async (person) => {
    const asked = { domain: [['id', 'in', idsOf('call')]], by: ['caller'] }
    const { status, body } = await person.call('connect.call', 'read_group', asked)
    return status === 403
      ? []
      : namesOf(
          'caller',
          (body as { caller: string }[]).map(({ caller }) => caller),
        )
  },
  export: async (person) => {
    const rows: number[] = []
    for (let offset = 0; offset <= CALLS.length; offset += 2) {
      const asked = { fields: ['caller', 'recording_icon', 'summary'], order: 'id desc', limit: 2, offset }
      const { status, body } = await person.call('connect.call', 'search_read', asked)
      if (status === 200) rows.push(...(body as { id: number }[]).map(({ id }) => id))
    }
    return namesOf('call', rows)
  },
}

async function hear(person: Caller, path: string): Promise<{ status: number }> {
  const answer = await app.request(path, { headers: { authorization: `bearer ${person.key}` } })
  if (answer.status === 200) expect(answer.text).toBe(SOUND.toString())
  return answer
}

/** Calls whose changes somebody hears of before they hear of something that everybody does. */
async function heardBy(person: Caller): Promise<Name[]> {
  const stream = await streamOf(app, person.userId)
  const told = Object.entries(PART).map(([model, part]) => ({ model, ids: idsOf(part) }))
  await app.db.transaction(async (tx) => {
    for (const each of [...told, { model: 'res.users', ids: [person.userId] }]) {
      await tx.notify('connect_records', JSON.stringify(each))
    }
  })
  await stream.hearChange(({ model }) => model === 'res.users')
  stream.close()
  const heard = stream.changes.filter(({ model }) => model in PART)
  const byModel = Object.entries(PART).map(([model, part]) =>
    namesOf(
      part,
      heard.filter((change) => change.model === model).flatMap(({ ids }) => ids ?? []),
    ),
  )
  for (const names of byModel) expect(names).toEqual(byModel[0])
  return byModel[0] ?? []
}
const PART: Readonly<Record<string, keyof Omit<Made, 'caller'>>> = {
  'connect.call': 'call',
  'connect.recording': 'recording',
  'connect.voicemail': 'voicemail',
}

describe.each(READERS)('%j', (groups, reads) => {
  const person = (): Caller => people.get(groups) as Caller
  const expected = reads === 'all' ? [...CALLS] : CALLS.filter((name) => reads !== 'nothing' && reads.includes(name))

  it.each(Object.keys(WAYS))('reads their calls and no other by: %s', async (way) => {
    expect(await WAYS[way]?.(person())).toEqual(expected)
  })

  it('hears of changes of their calls and of no other', async () => {
    expect(await heardBy(person())).toEqual(expected)
  })

  it('reads the legs of calls that are not their own, and the figures', async () => {
    const legs = namesOf('leg', await idsFound(person(), 'connect.channel', [['call', 'in', idsOf('call')]]))
    // In one's own call one sees the legs that one was a party of.
    expect(legs).toEqual(reads === 'all' ? expected : expected.filter((name) => name !== 'own'))
    const span = { from: '2020-01-01 00:00:00', to: '2020-12-31 00:00:00' }
    const figures = await person().call('connect.call', 'stats', span)
    expect(figures.status).toBe(reads === 'nothing' ? 403 : 200)
  })

  it('changes, posts on and ends no call that is only theirs to read', async () => {
    const isOthers = (name: Name) => reads !== 'all' && name !== 'own'
    for (const name of CALLS.filter(isOthers)) {
      const ids = [made[name].call]
      const refused = await Promise.all([
        person().call('connect.call', 'write', { ids, vals: { summary: 'Mine now' } }),
        person().call('connect.call', 'write', { ids, vals: { ticket: null } }),
        person().call('connect.call', 'message_post', { ids, body: 'Mine now' }),
        person().call('connect.call', 'callback_done', { ids }),
        person().call('connect.call', 'hang_up', { ids }),
        person().call('connect.call', 'forward', { ids, number: '101' }),
        person().call('connect.call', 'start_recording', { ids }),
        person().call('connect.call', 'delete_voicemail', { ids }),
        person().call('connect.call', 'unlink', { ids }),
        person().call('connect.recording', 'write', { ids: [made[name].recording], vals: { summary: 'Mine' } }),
      ])
      for (const { status } of refused) expect([403, 404], name).toContain(status)
    }
  })
})

it('the right "Calls of agents" is given to a group in one place, and taken away again', async () => {
  const [helpdesk] = await app.groupIds([GROUP.helpdeskUser])
  const hugo = people.get(READERS[1]?.[0] ?? []) as Caller
  const list = WAYS.list as (person: Caller) => Promise<Name[]>
  const set = (given: boolean, by = app.admin) => by.call('res.groups', 'agent_calls', { ids: [helpdesk], given })
  expect(await list(hugo)).toEqual(TICKETS)
  const ada = await app.person([GROUP.connectAdmin])
  expect((await set(true, ada)).status).toBe(200)
  expect(await list(hugo)).toEqual([...AGENTS.slice(0, 3), ...TICKETS])
  expect((await set(false, ada)).status).toBe(200)
  expect(await list(hugo)).toEqual(TICKETS)
  expect((await set(true, hugo)).status).toBe(403)
  for (const [group] of [[GROUP.public], [GROUP.webhook]]) {
    const ids = await app.groupIds([group ?? ''])
    expect((await ada.call('res.groups', 'agent_calls', { ids, given: true })).status).toBe(422)
  }
})

it('a call that loses its ticket is read no more by the person who read it for the ticket', async () => {
  const hugo = people.get(READERS[1]?.[0] ?? []) as Caller
  const { call } = made['ticket’s']
  const [row] = await app.admin.ask<{ ticket: [number, string] }[]>('connect.call', 'read', { ids: [call] })
  await app.admin.ask('connect.call', 'write', { ids: [call], vals: { ticket: null } })
  expect((await hugo.call('connect.call', 'read', { ids: [call] })).status).toBe(404)
  await app.admin.ask('connect.call', 'write', { ids: [call], vals: { ticket: row?.ticket[0] } })
  expect((await hugo.call('connect.call', 'read', { ids: [call] })).status).toBe(200)
})

it('tickets are read by everybody of the helpdesk: a rule on them has to stand with the calls of tickets too', () => {
  expect(app.app.platform.models.get('helpdesk.ticket').rules).toBeUndefined()
})
