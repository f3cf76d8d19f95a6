// What the timeline and the explanation of a call say, to an administrator, to the person who took part, and to a stranger.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hangUp, hear, press } from '../../../emulators/people.ts'
import { SCENARIOS } from '../../../emulators/scenarios/catalogue.ts'
import { runScenario } from '../../../emulators/scenarios/scenario.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { startWorld, type TestWorld } from '../../emulators/scenario-world.ts'
import { insertRow } from '../../support/rows.ts'
import { eventually } from '../../support/test-app.ts'

const PLAYED = ['agent-helpdesk', 'agent-unreachable', 'agent-transfer', 'menu-voicemail', 'missed-call']
const WORLD_MS = 120_000
let world: TestWorld

interface Moment {
  ms: number
  title: string
  lane: string
  sentence: string
  params: Record<string, unknown>
  has_raw: boolean
  delivery?: number
  took_ms?: number
  budget_ms?: number
}
interface Story {
  began_at: string
  strip: { kind: string; from_ms: number; to_ms: number | null }[]
  moments: Moment[]
  audio: { address: string | null; from_ms: number; to_ms: number; why: string | null }[]
}
interface Why {
  code: string
  sentence: string
  because: { moment: number | null; sentence: string }[]
  fixes: { code: string; sentence: string; action?: object }[]
  promises: { kind: string; is_kept: boolean }[]
  open: object[]
}

beforeAll(async () => {
  world = await startWorld()
  for (const scenario of SCENARIOS.filter(({ name }) => PLAYED.includes(name))) {
    expect((await runScenario(scenario, world)).complaints).toEqual([])
  }
  // Deliveries are logged after they were answered.
  await world.app.app.deliveries.drained()
}, WORLD_MS)
afterAll(() => world.stop())

async function callFrom(caller: string): Promise<number> {
  const [id] = await world.app.admin.ask<number[]>('connect.call', 'search', { domain: [['caller', '=', caller]] })
  return id ?? 0
}
const timeline = (id: number) => world.app.admin.ask<Story>('connect.call', 'timeline', { ids: [id] })
const sentencesOf = async (id: number) => (await timeline(id)).moments.map(({ sentence }) => sentence).join('\n')
const explain = (id: number) => world.app.admin.ask<Why>('connect.call', 'explain', { ids: [id] })

describe('the timeline of a call', { timeout: WORLD_MS }, () => {
  it('tells what was said and done on the line of the strip, each tool with its delivery and its time', async () => {
    const { moments, strip, audio } = await timeline(await callFrom('+14155550210'))
    expect(moments.map(({ ms }) => ms)).toEqual(moments.map(({ ms }) => ms).toSorted((a, b) => a - b))
    expect(moments[0]).toMatchObject({ ms: 0 })
    // A request is on its way for a while, and the provider's times have whole seconds.
    const arrives = moments.find(({ title }) => title === 'call_arrives')
    expect(arrives).toMatchObject({ lane: 'routing' })
    expect(arrives?.ms).toBeLessThanOrEqual(2_000)
    const said = moments.find(({ params }) => params.text === 'My boiler leaks.')
    expect(said).toMatchObject({ ms: 7_000, lane: 'speech', sentence: 'Zoe Miller: My boiler leaks.' })
    const tool = moments.find(({ params }) => params.name === 'helpdesk_create_ticket')
    expect(tool).toMatchObject({ title: 'tool', lane: 'tools', budget_ms: 20_000, delivery: expect.any(Number) })
    expect(moments.filter(({ params }) => params.name === 'helpdesk_create_ticket')).toHaveLength(1)
    expect(tool?.ms).toBeGreaterThanOrEqual(7_000)
    expect(tool?.ms).toBeLessThanOrEqual(10_000)
    expect(strip.at(-1)?.to_ms).toBe(23_000)
    expect(audio).toMatchObject([{ from_ms: 0, to_ms: 23_000 }])
  })

  it('names people and agents, and nobody twice', async () => {
    const transfer = (await timeline(await callFrom('+14155550211'))).moments.map(({ sentence }) => sentence).join('\n')
    expect(transfer).toContain('→ Receptionist')
    expect(transfer).toContain('Receptionist answered')
    expect(transfer).not.toMatch(/agent_[0-9a-f]+/)
    const missed = (await timeline(await callFrom('+14155550214'))).moments.map(({ sentence }) => sentence).join('\n')
    expect(missed).toMatch(/web phone eve@/)
    expect(missed).not.toMatch(/web phone(?: →|$)/m)
  })
})

describe('the explanation of a call', { timeout: WORLD_MS }, () => {
  it('an agent that its platform no longer has is named, with what shows it and what mends it', async () => {
    const why = await explain(await callFrom('+14155550223'))
    expect(why.sentence).toMatch(/^The voice agent Night desk could not be reached: .* no longer has it \(SIP 404/)
    expect(why.because[0]?.sentence).toMatch(/^Night desk: failed: SIP 404/)
    expect(why.fixes[0]?.action).toEqual({ kind: 'synchronise', provider: 'voiceai' })
  })

  it('an agent that was made anew at its platform keeps its name in the story of the call it missed', async () => {
    const call = await callFrom('+14155550223')
    const sentences = await sentencesOf(call)
    expect(sentences).toContain('→ Night desk')
    const domain = [['name', '=', 'Night desk']]
    const ids = await world.app.admin.ask<number[]>('connect.voiceai_agent', 'search', { domain })
    await world.app.db.query(
      sql`update connect_voiceai_agent set agent_uid = 'agent_made_anew' where id = ${ids[0]}::bigint`,
    )
    expect(await sentencesOf(call)).toBe(sentences)
  })

  it('an agent that kept its promises leaves nothing open', async () => {
    const why = await explain(await callFrom('+14155550210'))
    expect(why.sentence).toBe('The voice agent Helpdesk ended the call after booking a visit.')
    expect(why.promises).toMatchObject([
      { kind: 'ticket', is_kept: true },
      { kind: 'visit', is_kept: true },
    ])
    expect(why.open).toEqual([])
  })

  it('a caller who gave up, one who left a message and one who was handed over', async () => {
    const givenUp = await explain(await callFrom('+14155550214'))
    expect(givenUp.sentence).toMatch(/^The caller hung up after 7 s, before anyone answered/)
    expect(givenUp.fixes).toMatchObject([{ action: { kind: 'call_back', number: '+14155550214' } }])
    const voicemail = await explain(await callFrom('+14155550213'))
    expect(voicemail.sentence).toMatch(/^No one answered \(.+\)\. The caller left a message of 8 s\.$/)
    const handedOver = await explain(await callFrom('+14155550211'))
    expect(handedOver.sentence).toBe(
      'The voice agent Receptionist transferred the caller to Ben Carter, and they talked.',
    )
  })
})

describe('the explanation of a call that rang nowhere', { timeout: WORLD_MS }, () => {
  it.each([
    ['no-answer', 'eve'],
    ['busy', 'eve'],
    ['no-answer', '101'],
  ])('a call that the own phone did not take (%s, %s) says so, and that nobody was called', async (status, called) => {
    const [user] = await world.app.admin.ask<{ id: number; name: string }[]>('res.users', 'search_read', {
      ...{ domain: [['login', '=', 'eve@example.com']], fields: ['name'] },
    })
    const call = await insertRow(world.app.db, 'connect_call', {
      ...{ caller: '+14155550114', called, direction: 'outgoing', status },
      ...{ caller_user: user?.id ?? 0 },
    })
    await world.app.db.query(
      sql`insert into connect_call_called_users_rel (call_id, user_id) values (${call}::bigint, ${user?.id}::bigint)`,
    )
    expect(await explain(call)).toMatchObject({
      code: 'own_phone',
      sentence: 'Eve Fischer did not pick up their own phone, so the call was not made.',
      fixes: [],
    })
    await insertRow(world.app.db, 'connect_channel', { sid: `CA-dialled-${call}`, parent_sid: `CA-own-${call}`, call })
    expect((await explain(call)).code).not.toBe('own_phone')
  })

  it('a caller who was asked for a message and left none is said to have been', async () => {
    const caller = '+14155550296'
    const { admin } = world.app
    const flow = { name: 'Message only', voicemail_enabled: true, voicemail_prompt: 'Please leave a message.' }
    await admin.ask('connect.telco.callflow', 'create', { vals_list: flow })
    const [number] = await admin.ask<number[]>('connect.telco.number', 'search', {
      domain: [['phone_number', '=', '+14155550114']],
    })
    const vals = { destination: 'callflow', callflow: 'Message only' }
    await admin.ask('connect.telco.number', 'write', { ids: [number], vals })
    await world.telco.call({ from: caller, to: '+14155550114', acts: [hear('leave a message'), hangUp()] })
    await world.clock.idle()
    await world.app.app.deliveries.drained()
    const why = await eventually(async () => {
      const found = await explain(await callFrom(caller))
      return found.code === 'in_progress' ? undefined : found
    })
    expect(why.sentence).toBe('No phone rang. The caller was asked for a message and left none.')
    expect(why.because[0]?.sentence).toContain('recording')
    expect(why.fixes).toMatchObject([{ action: { kind: 'call_back', number: caller } }])
  })

  it('a caller whose choice leads to nothing is said to have heard that, and not what came before it', async () => {
    const [caller, called] = ['+14155550297', '+14155550114']
    const { admin } = world.app
    const make = (model: string, vals: object) => admin.ask<number>(model, 'create', { vals_list: vals })
    const empty = await make('connect.telco.callflow', { name: 'Nothing yet' })
    const exten = await make('connect.telco.exten', { number: '397', model: 'connect.telco.callflow', res_id: empty })
    const offers = { prompt_message: 'Press 1 for news.', gather_input: true, gather_input_type: 'dtmf' }
    const takes = { voicemail_enabled: true, voicemail_prompt: 'Please leave a message.' }
    const menu = await make('connect.telco.callflow', { name: 'News', ...offers, ...takes })
    await make('connect.telco.callflow_choice', { callflow: menu, choice_digits: '1', exten })
    const [number] = await admin.ask<number[]>('connect.telco.number', 'search', {
      domain: [['phone_number', '=', called]],
    })
    const vals = { destination: 'callflow', callflow: menu }
    await admin.ask('connect.telco.number', 'write', { ids: [number], vals })
    const acts = [hear('press 1 for news'), press('1'), hear('no actions')]
    await world.telco.call({ from: caller, to: called, acts })
    await world.clock.idle()
    await world.app.app.deliveries.drained()
    const why = await eventually(async () => {
      const found = await explain(await callFrom(caller))
      return found.code === 'in_progress' ? undefined : found
    })
    expect(why).toMatchObject({
      code: 'no_actions',
      sentence:
        'The call flow rings no one and takes no messages. The caller heard: “This callflow has no actions! Goodbye!”',
      fixes: [
        { action: { kind: 'record', model: 'connect.telco.callflow', id: menu } },
        { action: { kind: 'call_back', number: caller } },
      ],
    })
  })
})

describe('who may read the story', { timeout: WORLD_MS }, () => {
  it('anyone who took part reads all but what is the administrators’; a stranger reads what stands where no call is', async () => {
    const call = await callFrom('+14155550210')
    const eve = await world.app.person(['connect.group_user'], { login: 'eve-of-the-call' })
    const stranger = await world.app.person(['connect.group_user'], { login: 'stranger' })
    await world.app.db.script(`update connect_call set answered_user = ${eve.userId} where id = ${call}`)
    const mine = await eve.ask<Story>('connect.call', 'timeline', { ids: [call] })
    const all = await timeline(call)
    expect(mine.moments.map(({ sentence }) => sentence)).toEqual(all.moments.map(({ sentence }) => sentence))
    expect(mine.moments.some(({ has_raw: hasRaw }) => hasRaw)).toBe(false)
    expect(all.moments.some(({ has_raw: hasRaw }) => hasRaw)).toBe(true)
    expect((await eve.ask<Why>('connect.call', 'explain', { ids: [call] })).fixes).toEqual([])
    for (const method of ['timeline', 'explain']) {
      const answers = [call, 4_000_000_000].map((id) =>
        stranger.ask('connect.call', method, { ids: [id] }).then(
          () => 'read',
          (error: Error) => error.message.replaceAll(/\d+/g, 'N'),
        ),
      )
      const [theirs, nobodys] = await Promise.all(answers)
      expect(theirs).toBe(nobodys)
      expect(theirs).not.toBe('read')
    }
  })
})
