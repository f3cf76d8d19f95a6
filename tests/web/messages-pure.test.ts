// What the messages page computes by itself: parts of an SMS, links in what strangers wrote, templates, the window.
import { expect, test } from 'vitest'
import { locationText } from '../../src/ledger/messages/message-parts.ts'
import { readMessagesSearch } from '../../web/messages/messages-search.ts'
import { smsSize } from '../../web/messages/sms-parts.ts'
import { filled, placeholdersOf } from '../../web/messages/template-text.ts'
import { textPieces } from '../../web/messages/text-pieces.ts'
import { windowLeft } from '../../web/messages/window-left.ts'
import { sharedPlace } from '../../web/words/shared-place.ts'

test.each([
  ['', 'GSM-7', 0],
  ['a'.repeat(160), 'GSM-7', 1],
  ['a'.repeat(161), 'GSM-7', 2],
  ['a'.repeat(306), 'GSM-7', 2],
  ['a'.repeat(307), 'GSM-7', 3],
  ['ä'.repeat(160), 'GSM-7', 1],
  // Each counts twice, and none is cut in two.
  ['€'.repeat(80), 'GSM-7', 1],
  ['€'.repeat(81), 'GSM-7', 2],
  [`${'a'.repeat(152)}€${'a'.repeat(20)}`, 'GSM-7', 2],
  ['ы'.repeat(70), 'UCS-2', 1],
  ['ы'.repeat(71), 'UCS-2', 2],
  ['👍'.repeat(35), 'UCS-2', 1],
  ['👍'.repeat(36), 'UCS-2', 2],
  ['👍'.repeat(67), 'UCS-2', 3],
  [`’${'a'.repeat(70)}`, 'UCS-2', 2],
])('an SMS of %s is in %s and %i parts', (text, alphabet, parts) => {
  expect(smsSize(text)).toEqual({ alphabet, parts })
})

test('links to the web show their host, and everything else is text', () => {
  expect(textPieces('See https://example.com/a?b=1, then www.')).toEqual([
    'See ',
    { href: 'https://example.com/a?b=1', host: 'example.com', rest: '/a?b=1' },
    ', then www.',
  ])
  expect(textPieces('https://example.com')).toMatchObject([{ host: 'example.com', rest: '' }])
  // A host that only looks like another one is shown as what it is.
  expect(textPieces('http://exаmple.com/x')).toMatchObject([{ host: 'xn--exmple-4nf.com' }])
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'https://bank.example@evil.example/',
    '<a href="x">y</a>',
    'https://',
  ]) {
    expect(textPieces(text)).toEqual([text])
  }
})

test('a template shows which places are to be filled, and what will be sent', () => {
  const body = 'Hello {{1}}, see you {{ 2 }}. {{1}}!'
  expect(placeholdersOf(body)).toEqual(['1', '2'])
  expect(filled(body, { 1: 'Zoe', 2: '' })).toBe('Hello Zoe, see you {{ 2 }}. Zoe!')
})

test('the window says what is left of it, and nothing when it is over', () => {
  const now = new Date('2026-11-22T09:00:00Z')
  expect(windowLeft('2026-11-23 08:12:30', now)).toEqual({ hours: 23, minutes: 12 })
  expect(windowLeft('2026-11-22 09:00:00', now)).toBeUndefined()
  expect(windowLeft(null, now)).toBeUndefined()
})

test('the address of the messages says what is shown, and what it does not know is left out', () => {
  expect(readMessagesSearch({ show: 'open' })).toEqual({})
  expect(readMessagesSearch({ show: 'failed', search: 'zoe', to: '' })).toEqual({
    show: 'failed',
    search: 'zoe',
    to: '',
  })
  expect(readMessagesSearch({ show: 'x', search: 41, to: 4131 })).toEqual({ search: '41', to: '4131' })
})

test('a place that was shared is told from other texts, so that the page words it', () => {
  const degrees = { latitude: 48.85837, longitude: -2.294481 }
  const named = { ...degrees, label: 'The <shop>', address: '5 Quai Branly' }
  expect(sharedPlace(locationText(named))).toBe('The <shop>, 5 Quai Branly (48.85837, -2.294481)')
  expect(sharedPlace(locationText({ ...degrees, label: null, address: null }))).toBe('48.85837, -2.294481')
  expect(sharedPlace('Location: second floor')).toBeUndefined()
  expect(sharedPlace('See Location: 1.5, 2')).toBeUndefined()
})
