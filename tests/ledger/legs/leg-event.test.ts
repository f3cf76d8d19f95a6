import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseCallEvent, SAYS_NO_MORE } from '../../../src/ledger/legs/leg-event.ts'
import { anyCharacter } from '../../support/any-text.ts'

const CALLBACK = {
  CallSid: 'CA00000000000000000000000000000003',
  ParentCallSid: 'CA00000000000000000000000000000001',
  AccountSid: 'AC00000000000000000000000000000001',
  Direction: 'outbound-dial',
  CallStatus: 'completed',
  From: '+14155550100',
  To: '+14155550177',
  CallDuration: '37',
  Duration: '1',
  SequenceNumber: '3',
  CallbackSource: 'call-progress-events',
  Timestamp: 'Wed, 08 Oct 2025 13:54:49 +0000',
}

test('a status callback is read whole', () => {
  expect(parseCallEvent(CALLBACK)).toEqual({
    sid: 'CA00000000000000000000000000000003',
    parentSid: 'CA00000000000000000000000000000001',
    direction: 'outbound-dial',
    status: 'completed',
    caller: '+14155550100',
    called: '+14155550177',
    to: '+14155550177',
    callType: 'phone',
    duration: 37,
    timestampMs: Date.UTC(2025, 9, 8, 13, 54, 49),
    errorCode: '',
    errorMessage: '',
    ...SAYS_NO_MORE,
  })
})

test('a request that names no call is no event', () => {
  expect(parseCallEvent({})).toBeUndefined()
  expect(parseCallEvent({ CallSid: '' })).toBeUndefined()
  expect(parseCallEvent({ CallSid: ' \u0000' })).toBeUndefined()
  expect(parseCallEvent({ CallSid: 'C'.repeat(65) })).toBeUndefined()
})

describe('one field at a time', () => {
  const read = (fields: Record<string, string>) => parseCallEvent({ ...CALLBACK, ...fields })

  test('Caller and Called go before From and To, unless they are blank', () => {
    expect(read({ Caller: '+1', Called: '+2' })).toMatchObject({ caller: '+1', called: '+2', to: '+14155550177' })
    expect(read({ Caller: ' ', Called: '' })).toMatchObject({ caller: '+14155550100', called: '+14155550177' })
  })

  test.each(['Caller', 'Called', 'To', 'From'])('whatsapp: in %s makes it a WhatsApp call and is stripped', (field) => {
    const event = read({ [field]: 'whatsapp:+380501234567' })
    expect(event?.callType).toBe('whatsapp')
    expect([event?.caller, event?.called, event?.to]).toContain('+380501234567')
  })

  test.each(['', '-1', '4.5', '1e3', '0x10', 'NaN', '9'.repeat(10), ' 7'])('the duration %j is no number', (text) => {
    expect(read({ CallDuration: text })).toMatchObject({
      duration: undefined,
    })
  })

  test('billed minutes are never taken for seconds', () => {
    const { CallDuration: _, ...withoutSeconds } = CALLBACK
    expect(parseCallEvent(withoutSeconds)?.duration).toBeUndefined()
  })

  test.each([
    ['Wed, 08 Oct 2025 13:54:12 +0000', Date.UTC(2025, 9, 8, 13, 54, 12)],
    ['Wed, 08 Oct 2025 15:54:12 +0200', Date.UTC(2025, 9, 8, 13, 54, 12)],
    ['8 Oct 2025 13:54:12 GMT', Date.UTC(2025, 9, 8, 13, 54, 12)],
    ['2025', undefined],
    ['yesterday', undefined],
    ['Wed, 99 Oct 2025 13:54:12 +0000', undefined],
    ['', undefined],
  ])('the time %j is %j', (text, expected) => {
    expect(read({ Timestamp: text })?.timestampMs).toBe(expected)
  })

  test('the name of the answered event means in-progress, an unknown status says nothing', () => {
    expect(read({ CallStatus: 'answered' })?.status).toBe('in-progress')
    expect(read({ CallStatus: 'teleported' })?.status).toBeUndefined()
    expect(read({ Direction: 'sideways' })?.direction).toBeUndefined()
  })

  test('a leg is not its own parent', () => {
    expect(read({ ParentCallSid: CALLBACK.CallSid })?.parentSid).toBe('')
  })
})

test('whatever is sent, every text can be stored and indexed', () => {
  const names = [...Object.keys(CALLBACK), 'Caller', 'Called', 'ErrorCode', 'ErrorMessage']
  const text = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 400 }), fc.constantFrom('whatsapp:', '\u0000', '+1'))
  const form = fc.dictionary(fc.constantFrom(...names), text)
  fc.assert(
    fc.property(form, (fields) => {
      const event = parseCallEvent({ ...fields, CallSid: 'CA1' })
      for (const value of Object.values(event ?? {})) {
        if (typeof value !== 'string') continue
        expect(value.length).toBeLessThanOrEqual(1000)
        expect(value.isWellFormed() && !value.includes('\u0000')).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})
