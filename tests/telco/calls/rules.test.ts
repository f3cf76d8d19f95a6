import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCount, readLine, readMoment, readSid, readWebUrl } from '../../../src/ledger/legs/provider-form.ts'
import { mediaWidgets } from '../../../src/ledger/messages/message-words.ts'
import { readSendRef, writeSendRef } from '../../../src/ledger/messages/send-ref.ts'
import { readRange } from '../../../src/platform/media/byte-range.ts'
import { readDialled } from '../../../src/telco/calls/dialled-number.ts'
import { type Leg, otherParty } from '../../../src/telco/calls/live-legs.ts'
import { ringTarget } from '../../../src/telco/calls/ring-target.ts'
import { anyCharacter } from '../../support/any-text.ts'

describe('a dialled number', () => {
  it.each([
    ['101', undefined, { kind: 'extension', number: '101' }],
    ['+100', undefined, { kind: 'extension', number: '100' }],
    ['+41 31 380 83 16', undefined, { kind: 'number', number: '+41313808316' }],
    ['031 380 83 16', 'CH', { kind: 'number', number: '+41313808316' }],
    ['0041313808316', 'CH', { kind: 'number', number: '+41313808316' }],
    ['(415) 555-0100', 'US', { kind: 'number', number: '+14155550100' }],
    ['14155550100', undefined, { kind: 'number', number: '+14155550100' }],
    ['１０１', undefined, { kind: 'extension', number: '101' }],
    ['\u202a+41 79 555 01 74\u202c', undefined, { kind: 'number', number: '+41795550174' }],
    ['Tel. (+41) 79 555 01 74 (mobile)', 'US', { kind: 'number', number: '+41795550174' }],
    ['tel:+41-31-380-83-16;ext=5', undefined, { kind: 'number', number: '+41313808316' }],
    ['41795550175.0', 'DE', { kind: 'number', number: '+41795550175' }],
  ])('%j in %j is %j', (written, country, target) => {
    expect(readDialled(written, country)).toEqual(target)
  })

  it.each(['', ' ', '+', 'sip:a@b', "1'; drop", '123456789012345678901'])('is not %j', (written) => {
    expect(() => readDialled(written, 'US')).toThrow('must be an extension')
  })
})

it.each(['+266696687', '+86 282 4522 53', '7378742833'])('%j is nobody to call', (written) => {
  expect(() => readDialled(written, 'US')).toThrow('withheld their number')
})

describe('the other party', () => {
  const ME = 7
  const aLeg = (values: Partial<Leg>): Leg => ({
    id: 1,
    sid: 'CA1',
    parent_sid: null,
    technical_direction: 'inbound',
    status: 'ringing',
    caller: null,
    called: null,
    caller_pbx_user: null,
    called_pbx_user: null,
    ...values,
  })
  const customer = aLeg({})
  const mine = aLeg({ sid: 'CA2', technical_direction: 'outbound-dial', status: 'in-progress', called_pbx_user: ME })
  const colleague = aLeg({
    sid: 'CA3',
    technical_direction: 'outbound-dial',
    status: 'in-progress',
    called_pbx_user: 8,
  })
  const ringing = aLeg({ sid: 'CA4', technical_direction: 'outbound-dial', status: 'ringing' })

  it.each([
    ['who called me', [customer, mine], ME, 'CA1'],
    [
      'whom I called',
      [aLeg({ caller_pbx_user: ME }), aLeg({ ...ringing, sid: 'CA5', status: 'in-progress' })],
      ME,
      'CA5',
    ],
    ['a customer before a colleague', [colleague, customer, mine], ME, 'CA1'],
    ['a colleague, where there is nobody else', [aLeg({ caller_pbx_user: ME }), colleague], ME, 'CA3'],
    ['the customer, for somebody who is not in the call', [customer, mine], undefined, 'CA1'],
    ['nobody while it only rings', [aLeg({ caller_pbx_user: ME }), ringing], ME, undefined],
    ['nobody for who is alone', [mine], ME, undefined],
  ])('the other party of a leg is %s', (_who, legs, me, sid) => {
    expect(otherParty(legs, me)?.sid).toBe(sid)
  })
})

describe('the phone that rings for its owner', () => {
  const address = 'anna@acme.sip.twilio.com'
  const ringing = { address, timeoutSeconds: { client: 10, sip: 3 } } as Parameters<typeof ringTarget>[0]['ringing']
  const shown = { from: '+14155550100', name: 'Zoë & Co', partnerId: 5 }
  const steps = (...types: string[]) => types.map((type, id) => ({ id, type })) as typeof ringing.steps

  it('the phone that rings for its owner is the first one, and the web phone is told who is called', () => {
    expect(ringTarget({ ringing: { ...ringing, steps: steps('client', 'sip') } }, shown)).toEqual({
      to: `client:${address}?autoAnswer=yes&Partner=5&CallerName=Zo%C3%AB+%26+Co&From=%2B14155550100`,
      timeoutSeconds: 10,
    })
  })

  it('rings as long as the provider can, and is never the voicemail', () => {
    expect(ringTarget({ ringing: { ...ringing, steps: steps('voicemail', 'sip') } }, shown)).toEqual({
      to: `sip:${address}`,
      timeoutSeconds: 5,
    })
    expect(() => ringTarget({ ringing: { ...ringing, steps: steps('voicemail') } }, shown)).toThrow(
      'you need a web phone or a SIP phone',
    )
  })
})

describe('a range of bytes', () => {
  it('a range of bytes is always within the file', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.nat(100),
        fc.nat(100),
        fc.integer({ min: 1, max: 60 }),
        (noise, first, last, bytes) => {
          for (const header of [
            noise,
            `bytes=${first}-${last}`,
            `bytes=${first}-`,
            `bytes=-${last}`,
            `bytes=${noise}`,
          ]) {
            const range = readRange(header, bytes)
            if (range === undefined || range === 'unsatisfiable') continue
            expect(range.start).toBeGreaterThanOrEqual(0)
            expect(range.end).toBeGreaterThanOrEqual(range.start)
            expect(range.end).toBeLessThan(bytes)
          }
        },
      ),
    )
  })
})

describe('what the provider writes', () => {
  it('what the provider writes becomes something that can be stored, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 3_000 }), (text) => {
        const read = [readSid(text), readLine(text), readWebUrl(text), readMoment(text)]
        for (const value of read) {
          expect(value ?? '').not.toContain('\u0000')
          expect((value ?? '').isWellFormed()).toBe(true)
          expect((value ?? '').length).toBeLessThanOrEqual(2_000)
        }
      }),
    )
  })

  it.each([
    ['36', 36],
    ['0', 0],
    ['-1', undefined],
    ['1.5', undefined],
    ['9999999999', undefined],
    ['', undefined],
  ])('counts %j as %j', (text, count) => {
    expect(readCount(text)).toBe(count)
  })

  it.each([
    ['Wed, 08 Oct 2025 13:54:12 +0000', '2025-10-08 13:54:12'],
    ['Wed, 08 Oct 2025 13:54:12 +0200', '2025-10-08 11:54:12'],
    ['2025-10-08', null],
    ['', null],
  ])('reads the moment %j as %j', (text, moment) => {
    expect(readMoment(text)).toBe(moment)
  })
})

describe('the reference in our status addresses', () => {
  it('comes back as it went', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), fc.nat(999_999), (id, attempt) => {
        expect(readSendRef(writeSendRef({ id, attempt }))).toEqual({ id, attempt })
      }),
    )
  })

  it.each([null, '', '1', '1-', '-1', '1-1-1', 'a-b', '99999999999999999-1'])('is not %j', (text) => {
    expect(readSendRef(text)).toBeUndefined()
  })
})

describe('the widget of a picture or sound', () => {
  it.each([
    ['https://a.example/1?a=1&b="', 'image/png', '<img src="https://a.example/1?a=1&amp;b=&quot;" alt="">'],
    ['https://a.example/1', 'audio/ogg', '<audio controls preload="none" src="https://a.example/1"></audio>'],
    ['https://a.example/1', 'video/mp4', '<video controls preload="none" src="https://a.example/1"></video>'],
    ['javascript:alert(1)', 'image/png', null],
    [null, 'image/png', null],
  ])('the widget of a picture or sound of %j as %j is %j', (url, type, widget) => {
    const sent = { id: 1, direction: 'outgoing', media: null, media_url: url, media_content_type: type }
    expect(mediaWidgets(sent)).toBe(widget)
  })
})
