import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FaultOptions, faultsNamed } from '../../emulators/faults.ts'
import { answers, hangUp, hear, person, wait } from '../../emulators/people.ts'
import { describeProblem } from '../../emulators/problems.ts'
import { startTelcoEmulator, type TelcoEmulator } from '../../emulators/telco/start.ts'
import { FakeService, markup, PUBLIC_URL } from './fake-service.ts'

const NUMBER = '+14155550199'
const CALLER = '+14155550100'
let service: FakeService
let telco: TelcoEmulator

beforeAll(async () => {
  service = await FakeService.start()
})
afterAll(() => service.stop())
beforeEach(() => service.forget())

async function start(faults: FaultOptions = {}, changes: Record<string, unknown> = {}): Promise<void> {
  await telco?.stop()
  telco = await startTelcoEmulator({ service: service.address, numbers: [{ phoneNumber: NUMBER }], faults })
  const number = telco.account.numbers.findWhere('phone_number', NUMBER)
  if (number === undefined) throw new Error('no number')
  telco.account.numbers.change(number, {
    voice_url: `${PUBLIC_URL}/number`,
    status_callback: `${PUBLIC_URL}/status`,
    ...changes,
  })
}
afterAll(() => telco.stop())

function problems(): string[] {
  return telco.problems.all.map(describeProblem)
}

const twoLegs = markup(
  `<Dial callerId="${NUMBER}" action="${PUBLIC_URL}/action"><Number statusCallback="${PUBLIC_URL}/leg" statusCallbackEvent="initiated ringing answered completed">+14155550177</Number></Dial>`,
)

async function callThrough(): Promise<void> {
  service.answer('/number', twoLegs)
  service.answer('/action', markup('<Hangup/>'))
  telco.connect('+14155550177', person('Ann', telco.problems, [answers([wait(5), hangUp()])]))
  await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  await telco.clock.idle()
}

test('an answer that is no markup is a problem, and the caller hears that something went wrong', async () => {
  await start()
  for (const [answer, code] of [
    [{ status: 500 }, 11200],
    [{ status: 302 }, 11200],
    [{ body: '<Response><Say>Hello</Response>' }, 12100],
    [{ body: '<Hello/>' }, 12101],
    [{ type: 'application/json', body: '{}' }, 12300],
    [{ body: markup(`<Say>${'a'.repeat(70_000)}</Say>`) }, 11750],
  ] as const) {
    service.answer('/number', answer)
    const { heard } = await telco.call({ from: CALLER, to: NUMBER, acts: [] })
    expect(heard.join()).toMatch(/application error/)
    expect(problems().at(-1)).toContain(`telco ${code}:`)
    expect(() => telco.problems.check()).toThrow(String(code))
  }
})

test('the fallback address is asked with the error when the first one fails', async () => {
  await start({}, { voice_fallback_url: `${PUBLIC_URL}/fallback` })
  service.answer('/number', { status: 503 })
  service.answer('/fallback', markup('<Say>Please call later.</Say>'))
  const { heard } = await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(heard).toEqual(['Please call later.'])
  expect(service.at('/fallback')[0]?.fields).toMatchObject({ ErrorCode: '11200', ErrorUrl: `${PUBLIC_URL}/number` })
})

test.each([
  ['an unknown attribute', '<Say tone="high">Hello</Say>', /12200.*no attribute tone/],
  ['an unknown verb', '<Sing>Hello</Sing>', /Sing/],
  ['a verb that is never reached', '<Hangup/><Say>Hello</Say>', /never reached/],
  [
    'a dial within a gather',
    `<Gather action="${PUBLIC_URL}/g"><Dial>+14155550177</Dial></Gather>`,
    /12200.*<Dial> stands in <Gather>/,
  ],
])('markup with %s is a problem', async (_name, verbs, pattern) => {
  await start()
  service.answer('/number', markup(verbs))
  await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(problems().join('\n')).toMatch(pattern)
})

test.each([
  ['a number that is not the account’s', `callerId="+14155559999"`, '<Number>+14155550177</Number>', 13214],
  ['a name to a telephone', `callerId="client:ann"`, '<Number>+14155550177</Number>', 13214],
  ['a web phone to a SIP phone', `callerId="client:ann"`, '<Sip>sip:bob@acme.sip.twilio.com</Sip>', 13247],
  ['a number without a sender to WhatsApp', `callerId="${NUMBER}"`, '<WhatsApp>+14155550177</WhatsApp>', 13214],
])('a caller id that may not be shown fails the dial: %s', async (_name, attribute, noun, code) => {
  await start()
  service.answer('/number', markup(`<Dial ${attribute} action="${PUBLIC_URL}/action">${noun}</Dial>`))
  service.answer('/action', markup('<Hangup/>'))
  await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(problems().join('\n')).toContain(`telco ${code}:`)
  expect(service.at('/action')[0]?.fields).toMatchObject({ DialCallStatus: 'failed' })
  expect(service.at('/action')[0]?.fields.DialCallSid).toBeUndefined()
})

test('the caller’s own number, and no caller id at all, may be shown for a call from the network', async () => {
  await start()
  telco.connect('+14155550177', person('Ann', telco.problems, [answers([hangUp()])]))
  service.answer('/action', markup('<Hangup/>'))
  for (const attribute of ['', `callerId="${CALLER}"`, `callerId="${NUMBER}"`]) {
    service.answer('/number', markup(`<Dial ${attribute} action="${PUBLIC_URL}/action">+14155550177</Dial>`))
    await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  }
  telco.problems.check()
})

test('somebody who was never introduced cannot be called unnoticed', async () => {
  await start()
  service.answer('/number', twoLegs)
  service.answer('/action', markup('<Hangup/>'))
  await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(problems().join()).toContain('nobody was said to be at +14155550177')
})

test('words that are never heard are a problem that says what was heard instead', async () => {
  await start()
  service.answer('/number', markup('<Say>Welcome.</Say>'))
  await telco.call({ from: CALLER, to: NUMBER, acts: [hear('goodbye')] })
  expect(problems().join()).toContain('waited to hear "goodbye" and heard "Welcome."')
})

test('a report that is refused or unreachable is tried again as its address says, then a problem', async () => {
  await start({}, { status_callback: `${PUBLIC_URL}/status#rc=2&rp=ct,rt,5xx` })
  service.answer('/number', markup('<Hangup/>'))
  service.answer('/status', { status: 500 })
  await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  const tries = service.at('/status')
  expect(tries).toHaveLength(3)
  expect(new Set(tries.map(({ headers }) => headers['i-twilio-idempotency-token'])).size).toBe(1)
  expect(problems().join()).toContain('/status#rc=2&rp=ct,rt,5xx answered HTTP 500')
})

test('a fragment that the provider does not understand, or a query lost in it, is a problem', async () => {
  await start({}, { status_callback: `${PUBLIC_URL}/status#e=mars&rc=9?x=1` })
  service.answer('/number', markup('<Hangup/>'))
  await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(problems().join('\n')).toMatch(/no edge mars/)
  expect(problems().join('\n')).toMatch(/never sent/)
})

test('an address of nobody we know is a problem', async () => {
  await start({}, { voice_url: 'https://elsewhere.example.com/number' })
  await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(problems().join()).toContain('nothing is known at https://elsewhere.example.com/number')
})

test('duplicates, shuffling and delays keep every report, and the same seed makes the same faults', async () => {
  const seen: string[][] = []
  for (const seed of [7, 7, 8]) {
    service.forget()
    await start(faultsNamed(['duplicate', 'shuffle', 'delay'], seed))
    await callThrough()
    seen.push(service.at('/leg').map(({ fields }) => fields.CallStatus ?? ''))
    telco.problems.check()
  }
  const [first = [], second, third] = seen
  expect(new Set(first)).toEqual(new Set(['initiated', 'ringing', 'in-progress', 'completed']))
  expect(first.length).toBeGreaterThan(4)
  expect(first).toEqual(second)
  expect(first).not.toEqual(third)
})

test('dropped reports never arrive, and nothing else changes', async () => {
  await start({ drop: 1 })
  await callThrough()
  expect(service.at('/leg')).toEqual([])
  expect(service.at('/action')).toHaveLength(1)
  telco.problems.check()
})

test('a forged report that is accepted is a problem, one that is refused is none', async () => {
  await start({ forge: 1 })
  service.answer('/status', { type: 'text/plain', body: 'False' })
  service.answer('/leg', { type: 'text/plain', body: '7' })
  await callThrough()
  expect(problems().every((problem) => problem.includes('a forged report was accepted'))).toBe(true)
  expect(problems()).toHaveLength(4)
})

test('a voice request that is repeated has the same token, and the second answer counts', async () => {
  await start({ repeatVoice: 1 })
  let asked = 0
  service.answer('/number', () => {
    asked += 1
    return markup(`<Say>Answer ${asked}</Say>`)
  })
  const { heard } = await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(heard).toEqual(['Answer 2'])
  const [first, second] = service.at('/number')
  expect(first?.headers['i-twilio-idempotency-token']).toBe(second?.headers['i-twilio-idempotency-token'])
})
