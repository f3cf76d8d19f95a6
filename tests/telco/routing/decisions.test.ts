// Decisions without a database: business hours, choices of a menu, dialled numbers, spoken texts, API URLs.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wasConnected } from '../../../src/ledger/legs/dial-report.ts'
import type { SettingsSnapshot } from '../../../src/platform/settings/settings.ts'
import { apiUrlProblem } from '../../../src/telco/client/api-url.ts'
import { userCallAction } from '../../../src/telco/routing/decide/call-actions.ts'
import { callerIdOf } from '../../../src/telco/routing/decide/caller-id.ts'
import { contextOf } from '../../../src/telco/routing/decide/context.ts'
import { isRingingOver } from '../../../src/telco/routing/decide/dial-outcome.ts'
import { isExternalNumber, parseDialled } from '../../../src/telco/routing/decide/dialled.ts'
import { type BusinessHours, isOpen } from '../../../src/telco/routing/decide/is-open.ts'
import { matchChoice } from '../../../src/telco/routing/decide/match-choice.ts'
import { fillPrompt, speechLanguage, spoken } from '../../../src/telco/routing/decide/speech.ts'
import { parseRequest } from '../../../src/telco/webhooks/request.ts'
import { anyCharacter } from '../../support/any-text.ts'
import { aDialPlan } from '../../support/dial-plan.ts'

const HOUR = 60

function hours(values: Partial<BusinessHours> = {}): BusinessHours {
  return { zone: 'Europe/Zurich', openings: [], holidays: [], ...values }
}

describe('business hours', () => {
  const weekday = (day: number, from: number, to: number) => ({ weekday: day, from: from * HOUR, to: to * HOUR })
  // Wednesday, 4 March 2026; Zurich is one hour ahead.
  const office = hours({ openings: [weekday(3, 8, 12), weekday(3, 13.5, 24)] })

  test.each([
    ['2026-03-04T06:59:59Z', false],
    ['2026-03-04T07:00:00Z', true],
    ['2026-03-04T10:59:59Z', true],
    ['2026-03-04T11:00:00Z', false],
    ['2026-03-04T12:30:00Z', true],
    ['2026-03-04T22:59:59Z', true],
    ['2026-03-04T23:00:00Z', false],
    ['2026-03-05T10:00:00Z', false],
  ])('business hours at %s open is %s', (time, open) => {
    expect(isOpen(office, new Date(time))).toBe(open)
  })

  test('the weekday is that of the zone, not of UTC', () => {
    const tokyo = hours({ zone: 'Asia/Tokyo', openings: [weekday(1, 8, 9)] })
    expect(isOpen(tokyo, new Date('2026-03-01T23:30:00Z'))).toBe(true)
    expect(isOpen(tokyo, new Date('2026-03-02T08:30:00Z'))).toBe(false)
  })

  test('an hour that a clock change repeats is open twice, one that it leaves out never comes', () => {
    const night = hours({ openings: [weekday(7, 2, 3)] })
    expect(isOpen(night, new Date('2026-10-25T00:30:00Z'))).toBe(true)
    expect(isOpen(night, new Date('2026-10-25T01:30:00Z'))).toBe(true)
    expect(isOpen(night, new Date('2026-10-25T02:00:00Z'))).toBe(false)
    expect(isOpen(night, new Date('2026-03-29T00:59:59Z'))).toBe(false)
    expect(isOpen(night, new Date('2026-03-29T01:00:00Z'))).toBe(false)
  })

  test('the day after a clock change opens by the clock on the wall', () => {
    const monday = hours({ openings: [weekday(1, 8, 9)] })
    expect(isOpen(monday, new Date('2026-03-23T07:00:00Z'))).toBe(true)
    expect(isOpen(monday, new Date('2026-03-30T07:00:00Z'))).toBe(false)
    expect(isOpen(monday, new Date('2026-03-30T06:00:00Z'))).toBe(true)
  })

  test('business hours without opening hours are open every day but the holidays', () => {
    const always = hours({ holidays: [{ from: '2026-12-24', to: '2026-12-26', isYearly: false }] })
    expect(isOpen(always, new Date('2026-12-23T22:59:59Z'))).toBe(true)
    expect(isOpen(always, new Date('2026-12-23T23:00:00Z'))).toBe(false)
    expect(isOpen(always, new Date('2026-12-26T22:59:59Z'))).toBe(false)
    expect(isOpen(always, new Date('2026-12-26T23:00:00Z'))).toBe(true)
    expect(isOpen(always, new Date('2027-12-25T12:00:00Z'))).toBe(true)
  })

  test('yearly holidays come every year, also over New Year and on a leap day', () => {
    const yearly = hours({
      holidays: [
        { from: '2020-12-31', to: '2021-01-02', isYearly: true },
        { from: '2024-02-29', to: '2024-02-29', isYearly: true },
      ],
    })
    for (const day of ['2030-12-31', '2031-01-01', '2031-01-02', '2028-02-29']) {
      expect(isOpen(yearly, new Date(`${day}T12:00:00Z`))).toBe(false)
    }
    for (const day of ['2030-12-30', '2031-01-03', '2027-02-28', '2027-03-01']) {
      expect(isOpen(yearly, new Date(`${day}T12:00:00Z`))).toBe(true)
    }
  })

  test('any hours give an answer at any time', () => {
    const minute = fc.integer({ min: 0, max: 1440 })
    const opening = fc.record({ weekday: fc.integer({ min: 1, max: 7 }), from: minute, to: minute })
    fc.assert(
      fc.property(
        fc.array(opening),
        fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
        (openings, now) => {
          expect(typeof isOpen(hours({ openings }), now)).toBe('boolean')
        },
      ),
    )
  })
})

describe('choices of a menu', () => {
  const choices = [
    { digits: '1', speech: 'tax', exten: 1 },
    { digits: '2', speech: 'Sales!', exten: 2 },
    { digits: '22', speech: '销售', exten: 3 },
    { digits: '3', speech: null, exten: 4 },
    { digits: '4', speech: ' ?! ', exten: 5 },
    { digits: '5', speech: 'Élodie  Müller', exten: 6 },
  ]
  test.each([
    ['2', '', 2],
    ['22', 'tax', 3],
    ['', 'taxi or sales', 2],
    ['', 'taxi', 1],
    ['', 'I WANT SALES, PLEASE', 2],
    ['', '我要销售部', 3],
    ['', 'élodie müller', 6],
    ['', '', undefined],
    ['', '?!', undefined],
    ['9', 'nothing', undefined],
  ])('digits %j and speech %j choose %s', (digits, speech, exten) => {
    expect(matchChoice(choices, { digits, speech })?.exten).toBe(exten)
  })
})

describe('dialled numbers', () => {
  test.each([
    ['sip:+4930123@acme.sip.twilio.com', '+4930123', false],
    ['sip:%2B4930123@acme.sip.twilio.com;user=phone', '+4930123', false],
    ['whatsapp:+49 30 123', '+4930123', true],
    ['WhatsApp:+4930123', '+4930123', true],
    ['(030) 12-34', '0301234', false],
    ['*97', '*97', false],
    ['bob', 'bob', false],
    ['', '', false],
  ])('%j is %j', (raw, number, isWhatsApp) => {
    expect(parseDialled(raw)).toEqual({ number, isWhatsApp })
  })

  test.each(['+4930123', '+123', '+123456789012345'])('%s can be called outside', (number) => {
    expect(isExternalNumber(number)).toBe(true)
  })
  test.each(['4930123', '+', '+12', '+1234567890123456', '+49x', '++49', '+49 30'])('%s cannot', (number) => {
    expect(isExternalNumber(number)).toBe(false)
  })

  test('any text is read without an error and without control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (raw) => {
        const { number } = parseDialled(raw)
        expect(number.isWellFormed()).toBe(true)
        expect(number).not.toMatch(/\p{Cc}/u)
      }),
    )
  })
})

describe('outcomes of a dial', () => {
  test.each([
    [{ DialCallStatus: 'completed' }, true],
    [{ DialCallStatus: 'completed', DialBridged: 'true' }, true],
    [{ DialCallStatus: 'completed', DialBridged: 'false' }, false],
    [{ DialCallStatus: 'Completed', DialBridged: 'False' }, false],
    [{ DialCallStatus: 'no-answer' }, false],
    [{}, false],
  ])('%j: they talked is %s', (form, talked) => {
    expect(wasConnected(form)).toBe(talked)
  })

  test('what the provider may invent later ends the ringing rather than going on for ever', () => {
    expect(isRingingOver({ DialCallStatus: 'something-new' })).toBe(true)
    expect(isRingingOver({ DialCallStatus: '' })).toBe(false)
  })
})

test('steps in an address are numbers, each once, and not too many', () => {
  const query = new URLSearchParams(`done_callflows=3,3, 4 ,x,0,-1,1.5,99999999999999999,${'1,'.repeat(100)}5`)
  const call = {
    sid: 'CA1',
    callId: 1,
    caller: '',
    called: '+1',
    isOutbound: false,
    fields: {},
    dialled: '',
    dialledLeg: '',
  }
  const effectsOf = (done: string) => {
    const context = contextOf(call, { plan: aDialPlan(), settings: {} as SettingsSnapshot, now: new Date() })
    return userCallAction(context, parseRequest({ form: {}, query: done, params: { record: '7' } })).effects
  }
  const tried = { does: 'mark-tried-by-address', call: 1, user: 7, steps: [3, 4, 1] }
  expect(effectsOf(String(query))).toEqual([tried])
  expect(effectsOf('')).toEqual([])
})

test('a user presents the extension, the own caller id, the default one, or the address; nothing only without all', () => {
  const user = {
    name: 'x',
    extension: '101',
    outgoingCallerId: '+1',
    defaultCallerId: '+2',
    address: 'x@h',
    recordsCalls: false,
  }
  expect(callerIdOf(user)).toBe('101')
  expect(callerIdOf({ ...user, extension: undefined })).toBe('+1')
  expect(callerIdOf({ ...user, extension: undefined, outgoingCallerId: undefined })).toBe('+2')
  const bare = { ...user, extension: undefined, outgoingCallerId: undefined, defaultCallerId: undefined }
  expect(callerIdOf(bare)).toBe('client:x@h')
  expect(callerIdOf({ ...bare, address: undefined })).toBe('')
})

test('spoken texts are bounded, and prompts speak no placeholders', () => {
  expect(spoken('a😀'.repeat(4_000)).length).toBeLessThanOrEqual(4_000)
  expect(spoken('a😀'.repeat(4_000)).isWellFormed()).toBe(true)
  expect(fillPrompt('{{user.name}} {{ user.password }} {{}} {x}', { name: 'Ann $1 {{user.name}}' })).toBe(
    'Ann $1 {{user.name}}   {x}',
  )
})

test.each([
  ['en', 'en-US'],
  ['de', 'de-DE'],
  ['pt-br', 'pt-BR'],
  ['pt', 'pt-PT'],
  ['sv', 'sv-SE'],
  ['ar', undefined],
  ['', undefined],
  [null, undefined],
])('an agent speaking %s is stood in for in %s', (language, spokenIn) => {
  expect(speechLanguage(language)).toBe(spokenIn)
})

test.each([
  ['https://pbx.example.com', undefined],
  ['https://pbx.example.com/base/', undefined],
  ['http://pbx.example.com', 'HTTPS'],
  ['http://localhost', 'Localhost'],
  ['https://127.1.2.3:8443', 'Localhost'],
  ['https://[::1]', 'Localhost'],
  ['https://localhost.example.com', undefined],
  ['pbx.example.com', 'Localhost'],
  ['https://a b', 'Localhost'],
  [undefined, 'Localhost'],
])('the problem of the API URL %s mentions %s', (url, word) => {
  const problem = apiUrlProblem(url)?.message
  if (word === undefined) expect(problem).toBeUndefined()
  else expect(problem).toContain(word)
})
