import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseCallEvent } from '../../../src/ledger/legs/leg-event.ts'
import {
  externalSide,
  legNumber,
  preferredParty,
  usernameOf,
  usernamesIn,
  userOf,
  withBareExtensions,
} from '../../../src/ledger/legs/party.ts'
import { anyCharacter } from '../../support/any-text.ts'
import { ALICE, findUser } from '../scenarios.ts'

describe('the number of a party', () => {
  test.each([
    ['+14155550100', '+14155550100'],
    ['101', '101'],
    ['whatsapp:+380501234567', '+380501234567'],
    ['whatsapp:DE.815799212877', 'DE.815799212877'],
    ['DE.815799212877', 'DE.815799212877'],
    ['whatsapp:anna', ''],
    ['sip:alice@acme.sip.telco.com', '101'],
    ['client:alice@acme.sip.telco.com', '101'],
    ['alice@acme.sip.telco.com', '101'],
    ['sip:alice@acme.sip.telco.com:5061;transport=tls', '101'],
    ['sip:alice;phone-context=x@acme.sip.telco.com', '101'],
    ['sip:+14155550123@acme.sip.telco.com', '+14155550123'],
    ['sip:%2B14155550123@acme.sip.telco.com', '+14155550123'],
    ['sip:carol@acme.sip.telco.com', 'carol'],
    ['client:12345678', '12345678'],
    ['client:1234567', ''],
    ['client:alice', ''],
    ['anonymous', ''],
    ['+1 415 555', ''],
    ['sip:@acme', ''],
    ['sip:%00@acme', ''],
    ['sip:%E0@acme', '%E0'],
    ['', ''],
  ])('%j is %j', (raw, expected) => {
    expect(legNumber(raw, findUser)).toBe(expected)
  })

  test('a user without an extension goes by username', () => {
    expect(legNumber('sip:dave@x', () => ({ id: 9, extension: '' }))).toBe('dave')
  })

  test('any text has one, without an error', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (raw) => typeof legNumber(raw, findUser) === 'string'))
  })
})

test('a PBX user is found by an address with its scheme only', () => {
  expect(userOf('sip:alice@acme.sip.telco.com', findUser)?.id).toBe(ALICE)
  expect(userOf('client:alice@acme.sip.telco.com', findUser)?.id).toBe(ALICE)
  expect(userOf('alice@acme.sip.telco.com', findUser)).toBeUndefined()
  expect(usernameOf('+14155550100')).toBeUndefined()
})

test('the usernames to look up are those the event mentions', () => {
  expect(usernamesIn({ caller: 'sip:alice@x', called: 'bob@x' })).toEqual(['alice', 'bob'])
  expect(usernamesIn({ caller: '+1', called: 'client:12345678' })).toEqual([])
})

test('a bare extension comes back from the provider with a plus', () => {
  const event = parseCallEvent({ CallSid: 'CA1', Caller: '+101', Called: '+999', To: '+14155550100' })
  if (event === undefined) throw new Error('no event')
  const isExtension = (number: string) => number === '101'
  expect(withBareExtensions(event, isExtension)).toMatchObject({ caller: '101', called: '+999', to: '+14155550100' })
})

test.each([
  ['inbound', 1, undefined, 'called'],
  ['inbound', undefined, 2, 'caller'],
  ['inbound', 1, 2, 'called'],
  ['outbound-dial', undefined, undefined, 'called'],
  ['inbound', undefined, undefined, 'caller'],
  ['outbound-api', undefined, undefined, undefined],
  [undefined, undefined, undefined, undefined],
] as const)('outside of a leg %s with users %s and %s is the %s', (direction, callerUserId, calledUserId, side) => {
  expect(externalSide({ direction, callerUserId, calledUserId })).toBe(side)
})

test('the report of a party that says more is kept, whichever came first', () => {
  const worstFirst = ['', 'anonymous', 'client:alice@acme.sip.telco.com', '+101', '101', '+14155550100']
  for (const [place, better] of worstFirst.entries()) {
    for (const worse of worstFirst.slice(0, place)) {
      expect(preferredParty(better, worse)).toBe(better)
      expect(preferredParty(worse, better)).toBe(better)
    }
  }
})
