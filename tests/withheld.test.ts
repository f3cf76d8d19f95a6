import { describe, expect, it } from 'vitest'
import { toE164 } from '../src/phone.ts'
import { hasIdentity, isWithheld } from '../src/withheld.ts'
import { NAMES_OF_NOBODY, WITHHELD } from './fixtures/withheld.ts'

describe('who an address says a caller is', () => {
  it.each(WITHHELD)('%j is a withheld caller', (address) => {
    expect([isWithheld(address), hasIdentity(address)]).toEqual([true, false])
    for (const country of [undefined, 'US', 'CH', 'DE', 'CN', 'LS']) expect(toE164(address, country)).toBeUndefined()
  })

  it.each([...NAMES_OF_NOBODY, '00', '0000', 'whatsapp:000'])('%j is a name that anybody may have', (address) => {
    expect(hasIdentity(address)).toBe(false)
  })

  it.each([
    ...['+41795550175', '41795550175', '+41 79 555 01 75', '+15550200104', '101', '262966', '464', '+8628245225'],
    // Numbers that are easily remembered, and numbers with many zeros, are somebody's.
    ...[
      '+61400000000',
      '+498001000000',
      '+18888888888',
      '+77777777777',
      '+4522222222',
      '22222222',
      '+919999999999',
      '9999999999',
    ],
    ...[
      'sip:7000@pbx.sip.example.com',
      'sip:100;cpc=ordinary@pbx.sip.example.com',
      'client:anonymouse',
      'sip:privatus@a.example',
    ],
    ...['whatsapp:+41795550175', 'US.13491208655302741918', 'whatsapp:ID.4567890123', 'de.ent.11815799212886844830'],
    ...['sip:anna@pbx.sip.example.com', 'sips:+41795550175@carrier.example', 'client:anna'],
  ])('%j is somebody', (address) => {
    expect([isWithheld(address), hasIdentity(address)]).toEqual([false, true])
  })

  it('numbers that only resemble a keypad word stay numbers', () => {
    expect(toE164('+862824522530', undefined)).toBe('+862824522530')
    expect(toE164('+41266696687', undefined)).toBe('+41266696687')
    expect(toE164('026 669 66 87', 'CH')).toBe('+41266696687')
  })
})
