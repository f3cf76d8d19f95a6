// What becomes of a call that rings a mobile first, played between the service and the provider's carrier: a table of its ends.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Act,
  answers,
  declines,
  doesNotAnswer,
  doesNotExist,
  hangUp,
  hear,
  hearSomething,
  isBusy,
  meanwhile,
  press,
  type Reaction,
  say,
  wait,
} from '../../emulators/people.ts'
import { addressOf } from '../../emulators/scenarios/company.ts'
import { runScenario } from '../../emulators/scenarios/scenario.ts'
import { calls, hears, says } from '../../emulators/voiceai/conversation/script.ts'
import { startWorld, type TestWorld } from './scenario-world.ts'

const NUMBER = '+14155550128'
const CALLER = '+14155550228'
const MOBILE = '+14155550328'
const GUS = { name: 'Gus Miller', username: 'gusm', phones: ['web'], mobile: MOBILE } as const

const DAY_MS = 86_400_000

let world: TestWorld

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

interface Case {
  mobile: Reaction
  caller: readonly Act[]
  /** What the newest call says when all is over. */
  is: object
  rings?: number
}

/** Whether the ledger takes the call for answered while a mobile is asked. */
const notTalking = meanwhile(async () => {
  const [call] = await world.service.search('connect.call', [['called', '=', NUMBER]], ['status'])
  expect(call?.status).not.toBe('in-progress')
})

const TALKED = { status: 'completed', answered_user: [expect.any(Number), GUS.name] }
const desk = [hear('gus at the desk'), say('Hello.', 2)]
const CASES: Record<string, Case> = {
  'is taken with 1': {
    mobile: answers([
      hear('a call from 1 4 1 5 5 5 5 0 2 2 8'),
      notTalking,
      press('1'),
      hear('connected'),
      say('Mobile.'),
      hangUp(),
    ]),
    caller: [hear('mobile.'), say('Hello.', 2)],
    is: TALKED,
    rings: 0,
  },
  'is picked up by a voicemail': {
    mobile: answers([say('Please leave a message.', 9), notTalking]),
    caller: desk,
    is: TALKED,
  },
  'is declined': { mobile: declines, caller: desk, is: TALKED },
  'is busy': { mobile: isBusy, caller: desk, is: TALKED },
  'rings in vain': { mobile: doesNotAnswer, caller: desk, is: TALKED },
  'cannot be reached': { mobile: doesNotExist, caller: desk, is: TALKED },
  'is declined with 2': { mobile: answers([hear('press 1'), press('2')]), caller: desk, is: TALKED },
  'is picked up in silence': { mobile: answers([]), caller: desk, is: TALKED },
  'is put down while it is asked': { mobile: answers([hearSomething(), hangUp()]), caller: desk, is: TALKED },
  'rings while the caller hangs up': {
    mobile: doesNotAnswer,
    caller: [wait(6), hangUp()],
    is: { answered_user: null, outcome: 'given_up' },
    rings: 0,
  },
  'is asked while the caller hangs up': {
    mobile: answers([]),
    caller: [wait(6), hangUp()],
    is: { answered_user: null, outcome: 'missed' },
    rings: 0,
  },
}

test.each(Object.entries(CASES))('a mobile that %s', async (name, { mobile, caller, is, rings = 1 }) => {
  const { service } = world
  const before = await service.newestId('connect.call')
  const rung: string[] = []
  const { complaints } = await runScenario(
    {
      name,
      title: name,
      company: { people: [GUS], numbers: [{ number: NUMBER, leadsTo: GUS.name }] },
      async play({ call, phone }) {
        phone(MOBILE, mobile)
        phone(
          addressOf(GUS, 'web'),
          answers([meanwhile(async () => void rung.push(name)), say('Gus at the desk.'), hear('hello'), hangUp()]),
        )
        await call({ from: CALLER, to: NUMBER, acts: caller })
      },
      expects: [],
    },
    world,
  )
  expect(complaints).toEqual([])
  expect(rung).toHaveLength(rings)
  const calls = await service.search('connect.call', [['id', '>', before]], [...Object.keys(is)])
  expect(calls).toEqual([expect.objectContaining(is)])
})

const GROUP_NUMBER = '+14155550130'
const FIRST = '+14155550330'
const SECOND = '+14155550331'

test.each([
  [
    'the first that presses 1 takes the call',
    answers([hear('press 1'), press('1'), hear('you are connected'), say('First mobile.'), hangUp()]),
    'first mobile',
  ],
  ['the other rings again after a voicemail picked up', answers([say('Leave a message.', 5)]), 'second mobile'],
])('two mobiles ring together: %s', async (name, first, heard) => {
  const inPerson = answers([hear('press 1'), press('1'), hear('you are connected'), say('Second mobile.'), hangUp()], {
    afterSeconds: 8,
  })
  const { complaints } = await runScenario(
    {
      name,
      title: name,
      company: {
        mobiles: [
          { name: 'First', mobile: FIRST, extension: '331' },
          { name: 'Second', mobile: SECOND, extension: '332' },
        ],
        menus: [{ name: 'On call', rings: [], ringsMobiles: ['331', '332'], lastWords: 'Nobody is there.' }],
        numbers: [{ number: GROUP_NUMBER, leadsTo: 'On call' }],
      },
      async play({ call, phone }) {
        phone(FIRST, first)
        phone(SECOND, inPerson)
        await call({ from: CALLER, to: GROUP_NUMBER, acts: [hear(heard)] })
      },
      expects: [],
    },
    world,
  )
  expect(complaints).toEqual([])
})

const AGENT_NUMBER = '+14155550132'
const ON_CALL = '+14155550332'
const NIGHT_DESK = {
  name: 'Night line',
  greeting: 'Good evening. How can I help?',
  prompt: 'You put callers through to the person on call.',
  tools: ['transfer_to_exten'],
} as const
const takes = [hear('press 1'), press('1'), hear('you are connected'), say('Ida speaking.'), hear('hello'), hangUp()]

/** What becomes of callers whom an agent puts through to a mobile: who took the call is told, and who did not get through waits. */
const PUT_THROUGH: Record<string, { mobile: Reaction; caller: readonly Act[]; why: string }> = {
  'is taken with 1': { mobile: answers(takes), caller: [hear('ida speaking'), say('Hello Ida!')], why: 'agent_person' },
  'is picked up by a voicemail': {
    mobile: answers([say('Please leave a message.', 9)]),
    caller: [hear('could not connect')],
    why: 'transfer_failed',
  },
  'is declined': { mobile: declines, caller: [hear('could not connect')], why: 'transfer_failed' },
  'rings while the caller hangs up': {
    mobile: doesNotAnswer,
    caller: [wait(8), hangUp()],
    why: 'transfer_failed',
  },
}

test.each(
  Object.entries(PUT_THROUGH).flatMap(([name, row]) =>
    (['sip', 'register'] as const).map((by) => [name, by, row] as const),
  ),
)('a mobile to which an agent puts the caller through %s (%s)', async (name, connectsBy, { mobile, caller, why }) => {
  const { service } = world
  const inVain = async () => {
    const day = (from: number) => new Date(Date.now() + from * DAY_MS).toISOString().slice(0, 19).replace('T', ' ')
    const span = { from: day(-100), to: day(100) }
    return (await service.ask<{ not_taken_over: number }>('connect.call', 'stats', span)).not_taken_over
  }
  const before = await inVain()
  const agent = { ...NIGHT_DESK, name: `${NIGHT_DESK.name} ${connectsBy}`, connectsBy }
  const { complaints } = await runScenario(
    {
      name,
      title: name,
      company: {
        mobiles: [{ name: 'Ida on call', mobile: ON_CALL, extension: '333', isPublished: true }],
        agents: [agent],
        numbers: [{ number: AGENT_NUMBER, leadsTo: agent.name }],
      },
      scripts: () => ({
        [agent.name]: {
          summary: 'Put through.',
          turns: [hears('urgent'), says('I am connecting you.'), calls('transfer_to_exten', { exten: '333' })],
        },
      }),
      async play({ call, phone }) {
        phone(ON_CALL, mobile)
        await call({ from: CALLER, to: AGENT_NUMBER, acts: [hear('good evening'), say('It is urgent.'), ...caller] })
      },
      expects: [],
    },
    world,
  )
  expect(complaints).toEqual([])
  const id = await service.newestId('connect.call')
  const explained = await service.ask<{ code: string; promises: { kind: string; is_kept: boolean }[] }>(
    'connect.call',
    'explain',
    { ids: [id] },
  )
  expect(explained.code).toBe(why)
  expect(explained.promises.every(({ is_kept: isKept }) => isKept !== (why === 'transfer_failed'))).toBe(true)
  const isMissed = why === 'transfer_failed'
  const [call] = await service.search('connect.call', [['id', '=', id]], ['needs_callback', 'not_taken_over'])
  expect(call).toMatchObject({ needs_callback: isMissed, not_taken_over: isMissed })
  expect((await inVain()) - before).toBe(isMissed ? 1 : 0)
  const waiting = await service.ask<{ ids: number[]; outcome: string }[]>('connect.call', 'to_call_back', {})
  expect(waiting.some(({ ids }) => ids.includes(id))).toBe(isMissed)
  await service.ask('connect.call', 'callback_done', { ids: [id] })
})
