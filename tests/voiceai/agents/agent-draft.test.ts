// A draft changes nothing at the platform; publishing it and restoring a version ask it once each.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../support/test-app.ts'
import { SyncApp } from '../sync/sync-app.ts'

const AGENT = 'connect.voiceai_agent'
const DRAFT = 'connect.voiceai_agent_draft'
const ADMINS = ['connect.group_admin', 'base.group_user']

let at: SyncApp
let agent: number
let ada: Caller
let ben: Caller

beforeAll(async () => {
  at = await SyncApp.start()
  await at.setUp()
  expect((await at.run()).state).toBe('done')
  ada = await at.app.person(ADMINS, { name: 'Ada Keller' })
  ben = await at.app.person(ADMINS, { name: 'Ben Carter' })
})
beforeEach(async () => {
  agent = await at.makeAgent({ name: 'Helpdesk', prompt: 'You help callers.' })
  await at.settled()
  at.fake.calm()
})
afterAll(() => at.stop())

async function requestsOf(work: () => Promise<unknown>): Promise<number> {
  at.fake.calm()
  await work()
  await at.settled()
  return at.fake.requests().length
}

const save = (who: Caller, vals: object, more: object = {}) =>
  who.ask<{ stamp: string | null; fields: string[] }>(AGENT, 'save_draft', { ids: [agent], vals, ...more })
const publish = (who: Caller, stamp: string | null) =>
  who.call(AGENT, 'publish_draft', { ids: [agent], unchanged_since: stamp })
const promptHeld = async () => (await at.read(AGENT, agent, ['prompt'])).prompt
const drafts = () => at.app.admin.ask<{ vals: object }[]>(DRAFT, 'search_read', { domain: [['agent', '=', agent]] })

test('a draft asks the platform nothing, publishing it once, and restoring a version once', async () => {
  const { active_prompt_version: first } = await at.read(AGENT, agent, ['active_prompt_version'])
  let stamp: string | null = null
  const saving = async () => {
    stamp = (await save(ada, { prompt: 'You help callers well.', first_message: 'Good day!', speed: 1.1 })).stamp
  }
  expect(await requestsOf(saving)).toBe(0)
  expect(await promptHeld()).toBe('You help callers.')
  expect(await at.read(AGENT, agent, ['synced'])).toMatchObject({ synced: true })
  expect(await requestsOf(async () => expect((await publish(ada, stamp)).status).toBe(200))).toBe(1)
  expect(await promptHeld()).toBe('You help callers well.')
  expect(await drafts()).toEqual([])
  const restored = { ids: [agent], vals: { active_prompt_version: (first as [number, string])[0] } }
  expect(await requestsOf(() => ada.ask(AGENT, 'write', restored))).toBe(1)
  expect(await promptHeld()).toBe('You help callers.')
})

test('a draft of what the agent has already is none, whatever the order of its translations', async () => {
  const translations = { de: 'Guten Tag!', fr: 'Bonjour !' }
  await at.write(AGENT, agent, { first_message_translations: translations })
  const same = Object.fromEntries(Object.entries(translations).toReversed())
  expect(await save(ada, { first_message_translations: same })).toEqual({ stamp: null, fields: [] })
  expect(await drafts()).toEqual([])
})

test('the version that a published draft makes is of the person who published it', async () => {
  const { stamp } = await save(ada, { prompt: 'You sell boilers.' })
  await publish(ben, stamp)
  const [version] = await ada.ask<{ create_uid: [number, string]; prompt: string }[]>(
    'connect.voiceai_agent_prompt',
    'search_read',
    { domain: [['agent', '=', agent]], limit: 1 },
  )
  expect(version).toMatchObject({ create_uid: [ben.userId, 'Ben Carter'], prompt: 'You sell boilers.' })
})

test('a draft that two people publish at the same time is refused to one of them, with the name of the other', async () => {
  const { stamp } = await save(ada, { prompt: 'You answer for Miller.' })
  const answers = await Promise.all([publish(ada, stamp), publish(ben, stamp)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const winner = answers[0]?.status === 200 ? 'Ada Keller' : 'Ben Carter'
  const refused = answers.find(({ status }) => status === 409)
  expect(refused?.body).toMatchObject({ message: `There is no draft any more. ${winner} published or discarded it.` })
})

test('a draft that somebody else saved meanwhile is neither published nor saved over', async () => {
  const { stamp } = await save(ada, { prompt: 'One.' })
  await save(ben, { prompt: 'Two.' }, { unchanged_since: stamp })
  for (const answer of [
    await publish(ada, stamp),
    await ada.call(AGENT, 'save_draft', { ids: [agent], vals: { prompt: 'Three.' }, unchanged_since: stamp }),
    await ada.call(AGENT, 'discard_draft', { ids: [agent], unchanged_since: stamp }),
  ]) {
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { message: 'Ben Carter has changed this draft in the meantime. Look at it first.' },
    ])
  }
  expect((await drafts())[0]?.vals).toEqual({ prompt: 'Two.' })
})

test('what somebody changed in the agent after the draft was begun is not lost to it', async () => {
  const { stamp } = await save(ada, { prompt: 'One.', speed: 1.1 })
  await ben.ask(AGENT, 'write', { ids: [agent], vals: { prompt: 'By hand.', first_message: 'Hi!' } })
  const refused = await publish(ada, stamp)
  const message =
    'Ben Carter changed this agent after the draft was started (Prompt). Review the difference, then save the draft again.'
  expect([refused.status, refused.body]).toMatchObject([409, { message }])
  const seen = { prompt: 'You help callers.' }
  const again = await ada.call(AGENT, 'save_draft', { ids: [agent], vals: { prompt: 'One.' }, seen })
  expect(again.body).toMatchObject({ message })
  const { stamp: newer } = await save(ada, { prompt: 'One.', speed: 1.1 }, { seen: { prompt: 'By hand.' } })
  expect((await publish(ada, newer)).body).toMatchObject({ fields: expect.arrayContaining(['prompt', 'speed']) })
})

test('a draft that is the same as the agent is none', async () => {
  await save(ada, { prompt: 'Other.' })
  expect(await save(ada, { prompt: 'You help callers.', first_message_translations: null, tools: [] })).toEqual({
    stamp: null,
    fields: [],
  })
  expect(await drafts()).toEqual([])
  expect((await publish(ada, null)).status).toBe(409)
})

test('links are drafted and published as the ids that there shall be', async () => {
  const [one, two] = [await at.toolId('create_partner'), await at.toolId('end_call')]
  await at.write(AGENT, agent, { tools: [[6, 0, [one]]] })
  const { stamp } = await save(ada, { tools: [two] })
  await publish(ada, stamp)
  expect((await at.read(AGENT, agent, ['tools'])).tools).toEqual([two])
})

test.each([
  ['a value that the agent refuses', { speed: 3 }, '"connect.voiceai_agent.speed" must be from 0.7 to 1.2.'],
  ['an empty prompt', { prompt: ' ' }, '"connect.voiceai_agent.prompt" is required while no template is picked.'],
  [
    'the id at the platform',
    { agent_uid: 'a' },
    'The field "agent_uid" is not part of a draft of connect.voiceai_agent.',
  ],
  ['a field that there is not', { nothing: 1 }, 'The field "nothing" is not part of a draft of connect.voiceai_agent.'],
])('a draft with %s is refused when it is saved', async (_what, vals, message) => {
  const answer = await ada.call(AGENT, 'save_draft', { ids: [agent], vals })
  expect([answer.status, answer.body]).toMatchObject([422, { message }])
  expect(await drafts()).toEqual([])
})

test('a Connect user reads a draft and changes none', async () => {
  const eve = await at.app.person(['connect.group_user', 'base.group_user'])
  const { stamp } = await save(ada, { prompt: 'One.' })
  expect(await eve.ask<object[]>(DRAFT, 'search_read', { domain: [['agent', '=', agent]] })).toHaveLength(1)
  for (const name of ['publish_draft', 'discard_draft']) {
    expect((await eve.call(AGENT, name, { ids: [agent], unchanged_since: stamp })).status).toBe(403)
  }
  expect((await eve.call(AGENT, 'save_draft', { ids: [agent], vals: { prompt: 'Two.' } })).status).toBe(403)
  expect((await ada.call(DRAFT, 'write', { ids: [1], vals: { vals: {} } })).status).toBe(403)
})
