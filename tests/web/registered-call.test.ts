// The note on a contact when a call has ended, in the reader's language.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { registeredLines } from '../../web/records/registered-call.ts'

const wordsOf = (file: string) => JSON.parse(readFileSync(`web/words/${file}.json`, 'utf8')) as Record<string, string>
const labels = wordsOf('de/fields')

function written(language: 'en' | 'de') {
  const words = wordsOf(`${language}/records`)
  const say = (key: string, values: Record<string, string> = {}) =>
    (words[key] ?? key).replaceAll(/\{\{(\w+)\}\}/g, (_whole, name: string) => values[name] ?? '')
  return {
    say: say as never,
    wordOf: (english: string) => (language === 'de' ? (labels[english] ?? english) : english),
    numberOf: (text: string) => text.replace('+41445550100', '+41 44 555 01 00'),
    reader: { language, zone: 'Europe/Zurich', hourCycle: 'h23' as const },
    now: new Date('2026-11-28T09:00:00Z'),
  }
}

const NOTE = [
  'Incoming call 7: completed',
  'Time: Friday, 27 November 2026 at 19:57 UTC',
  'Contact: Zoe Miller',
  'Caller: a withheld number',
  'Called: +41445550100',
  'Duration: 00:23',
  'Answered by: Ann Baker',
].join('\n')

test('the end of a call is told in German, at the time of the reader', () => {
  expect(registeredLines(NOTE, written('de'))).toEqual([
    'Anruf 7, eingehend: beendet',
    'Zeit: 27. Nov., 20:57',
    'Kontakt: Zoe Miller',
    'Anrufer: Nummer unterdrückt',
    'Angerufen: +41 44 555 01 00',
    'Dauer: 00:23',
    'Angenommen von: Ann Baker',
  ])
})

test.each([
  [
    'Incoming call 8: missed (no answer)',
    'Incoming call 8: missed (no answer)',
    'Anruf 8, eingehend: verpasst (keine Antwort)',
  ],
  ['Outgoing call 9: not made', 'Outgoing call 9: not made', 'Anruf 9, ausgehend: nicht zustande gekommen'],
  ['Outgoing call 9: busy', 'Outgoing call 9: busy', 'Anruf 9, ausgehend: besetzt'],
  ['Incoming call 8: missed', 'Incoming call 8: missed', 'Anruf 8, eingehend: verpasst'],
])('%s', (note, english, german) => {
  expect(registeredLines(note, written('en'))).toEqual([english])
  expect(registeredLines(note, written('de'))).toEqual([german])
})

test('a clock of another place is told with the place', () => {
  const note = 'Incoming call 7: completed\nTime: Friday, 27 November 2026 at 19:57 New York time'
  expect(registeredLines(note, written('en'))?.[1]).toBe('Time: Nov 27, 19:57 (New York)')
})

test('a place is named in the language of the reader, and not where it is their own', () => {
  const at = (place: string) => `Incoming call 7: completed\nTime: Friday, 27 November 2026 at 19:57 ${place} time`
  expect(registeredLines(at('Vienna'), written('de'))?.[1]).toBe('Zeit: 27. Nov., 19:57 (Wien)')
  expect(registeredLines(at('Mexico City'), written('de'))?.[1]).toBe('Zeit: 27. Nov., 19:57 (Mexiko-Stadt)')
  expect(registeredLines(at('Zurich'), written('de'))?.[1]).toBe('Zeit: 27. Nov., 19:57')
})

test.each(['A note of somebody', 'Incoming call tomorrow', ''])('any other note stays as it is: %s', (note) => {
  expect(registeredLines(note, written('de'))).toBeUndefined()
})
