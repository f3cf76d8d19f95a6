// An agent says that it is an AI: what the platform is to hold, whatever is written as greeting, and what a call says of it.
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import {
  aiAnnouncement,
  hasAnnouncement,
  presetGreeting,
  spokenGreeting,
} from '../../../src/voiceai/agents/ai-announcement.ts'
import { AGENT_LANGUAGES } from '../../../src/voiceai/agents/provider-choices.ts'
import { aConversationId, aTranscript, callOf, deliver, useSecret } from '../../fixtures/post-call.ts'
import { SyncApp } from '../sync/sync-app.ts'

const ENGLISH = 'You are talking to an AI assistant, and this conversation is recorded.'
const GERMAN = 'Sie sprechen mit einem KI-Assistenten, und dieses Gespräch wird aufgezeichnet.'
const LANGUAGES = AGENT_LANGUAGES.map(([code]) => code)

const anAgent = (values: Partial<Parameters<typeof spokenGreeting>[0]> = {}) => ({
  announces_ai: true,
  first_message: 'Hello!',
  language: 'en',
  first_message_translations: { de: 'Guten Tag!', fr: ' ' },
  ...values,
})

test.each(LANGUAGES)('an announcement in %s is known again in a transcript and is no other language', (code) => {
  const sentence = aiAnnouncement(code)
  expect(sentence.length).toBeGreaterThan(10)
  expect(LANGUAGES.filter((other) => aiAnnouncement(other) === sentence)).toEqual([code])
  expect(hasAnnouncement(`${sentence} Hello, Zoe!`)).toBe(true)
  expect(hasAnnouncement(sentence.slice(0, sentence.length / 2))).toBe(false)
})

test('an announcement stands before the greeting in the language of the greeting, once', () => {
  expect(spokenGreeting(anAgent())).toBe(`${ENGLISH} Hello!`)
  expect(spokenGreeting(anAgent({ language: 'de', first_message: 'Hallo!' }))).toBe(`${GERMAN} Hallo!`)
  expect(presetGreeting(anAgent(), 'de')).toBe(`${GERMAN} Guten Tag!`)
  const twice = anAgent({ first_message: `Hi! ${ENGLISH.toUpperCase()}` })
  expect(spokenGreeting(twice)).toBe(twice.first_message)
})

test('an announcement is made in an additional language that has no greeting of its own', () => {
  expect(presetGreeting(anAgent(), 'es')).toBe(`${aiAnnouncement('es')} Hello!`)
  expect(presetGreeting(anAgent(), 'fr')).toBe(`${aiAnnouncement('fr')} Hello!`)
})

test.each([false, null])('greetings without an announcement (%s) are what was written', (announces) => {
  const agent = anAgent({ announces_ai: announces })
  expect(spokenGreeting(agent)).toBe('Hello!')
  expect(['de', 'es', 'fr'].map((code) => presetGreeting(agent, code))).toEqual(['Guten Tag!', null, ' '])
})

describe('at the platform', () => {
  let at: SyncApp

  beforeAll(async () => {
    at = await SyncApp.start()
    await at.setUp()
    await at.run()
    await useSecret(at.app)
  })
  afterAll(() => at.stop())

  const held = () => JSON.stringify([...at.fake.agents.values()].at(-1))
  const greeting = () => JSON.parse(held()).conversation_config.agent.first_message as string
  const presets = () => JSON.parse(held()).conversation_config.language_presets as object
  const sync = async () => expect((await at.run()).errors).toEqual([])

  it('an edited greeting does not drop the announcement while it is on, and off everything is as before it, byte for byte', async () => {
    const [german, french] = await Promise.all(
      ['de_DE', 'fr_FR'].map(async (code) => {
        const [id] = await at.app.admin.ask<number[]>('res.lang', 'search', { domain: [['code', '=', code]] })
        return id
      }),
    )
    const id = await at.makeAgent({
      first_message: 'Hello!',
      first_message_translations: { de: 'Guten Tag!' },
      additional_languages: [german, french],
    })
    await sync()
    const before = held()
    expect(greeting()).toBe('Hello!')
    const write = (vals: object) => at.app.admin.ask('connect.voiceai_agent', 'write', { ids: [id], vals })

    await write({ announces_ai: true })
    await sync()
    expect(greeting()).toBe(`${ENGLISH} Hello!`)
    expect(presets()).toEqual({
      de: { overrides: { agent: { language: 'de', first_message: `${GERMAN} Guten Tag!` } } },
      fr: { overrides: { agent: { language: 'fr', first_message: `${aiAnnouncement('fr')} Hello!` } } },
    })
    expect(await at.read('connect.voiceai_agent', id, ['first_message', 'announcement'])).toMatchObject({
      first_message: 'Hello!',
      announcement: ENGLISH,
    })

    await write({ first_message: 'Just a moment.', first_message_translations: { de: 'Moment.' } })
    await sync()
    expect(greeting()).toBe(`${ENGLISH} Just a moment.`)
    expect(presets()).toMatchObject({ de: { overrides: { agent: { first_message: `${GERMAN} Moment.` } } } })

    await write({ announces_ai: false, first_message: 'Hello!', first_message_translations: { de: 'Guten Tag!' } })
    await sync()
    expect(JSON.parse(held())).toEqual(JSON.parse(before))
  })

  it('a new agent announces itself once the settings say so, and one that is told otherwise does not', async () => {
    const announces = async (values: object) =>
      (await at.read('connect.voiceai_agent', await at.makeAgent(values), ['announces_ai'])) as {
        announces_ai: boolean
      }
    expect(await announces({ name: 'Before' })).toEqual(expect.objectContaining({ announces_ai: false }))
    await at.settings({ agents_announce_ai: true })
    expect(await announces({ name: 'After' })).toEqual(expect.objectContaining({ announces_ai: true }))
    expect(await announces({ name: 'Silent', announces_ai: false })).toEqual(
      expect.objectContaining({ announces_ai: false }),
    )
    await at.settings({ agents_announce_ai: false })
  })

  it.each([
    ['the announcement', [`${ENGLISH} Hello, how can I help?`, 'Goodbye.'], 'played'],
    [
      'it in German with other quotes and blanks',
      ['  sie sprechen mit einem KI-Assistenten – und dieses Gespräch wird aufgezeichnet'],
      'played',
    ],
    ['half of it, because the caller spoke', ['You are talking to an AI'], 'not_played'],
    ['a greeting alone', ['Hello, how can I help?'], 'not_played'],
    ['it, but not first', ['Hello!', ENGLISH], 'not_played'],
    ['nothing', [], null],
  ])('a call whose agent says %s says so of itself', async (_what, words, told) => {
    const conversationId = aConversationId()
    const turn = (role: string, message: string | null) => ({ role, message, time_in_call_secs: 0 })
    const transcript = [
      turn('agent', null),
      ...words.map((each) => turn('agent', each)),
      turn('user', 'My heating is broken.'),
    ]
    await deliver(at.app, aTranscript({ conversationId, data: { transcript } }))
    const { id } = await callOf(at.app, conversationId)
    expect(await at.read('connect.call', id, ['ai_announcement'])).toMatchObject({ ai_announcement: told })
  })
})
