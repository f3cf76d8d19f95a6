// What the service writes into notes is said in the reader's language.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { MESSAGE_STATUSES, statusNote } from '../../src/ledger/messages/message-status.ts'
import { noteWords } from '../../web/words/note-words.ts'

const wordsOf = (file: string) => JSON.parse(readFileSync(`web/words/${file}.json`, 'utf8')) as Record<string, string>

function read(line: string, language: 'en' | 'de'): string | undefined {
  const words = wordsOf(`${language}/records`)
  return noteWords(line, {
    say: (key, values = {}) =>
      (words[key] ?? key).replaceAll(/\{\{(\w+)\}\}/g, (_whole, name: string) => values[name] ?? ''),
    errorOf: (code) => (code === '30003' ? 'Das Telefon ist nicht erreichbar.' : undefined),
    numberOf: (text) => text.replace('+41795550144', '+41 79 555 01 44'),
  })
}

describe('a note of the service', () => {
  test.each([
    [
      'Missed call from +41795550144. For: Pia Frei, Rolf Bürki.',
      'Verpasster Anruf von +41 79 555 01 44. Für: Pia Frei, Rolf Bürki.',
    ],
    ['Missed call from a withheld number. For: Pia.', 'Verpasster Anruf von einer unterdrückten Nummer. Für: Pia.'],
    ['Summary of call 7:', 'Zusammenfassung von Anruf 7:'],
    ['Merged with Zoe.', 'Mit Zoe zusammengeführt.'],
    ['The message to +41795550144 was read.', 'Die Nachricht an +41 79 555 01 44 wurde gelesen.'],
    ['The WhatsApp message to +1 was read.', 'Die WhatsApp-Nachricht an +1 wurde gelesen.'],
    [
      'The message to +1 was not delivered (error 30003): the telephone cannot be reached.',
      'Die Nachricht an +1 wurde nicht zugestellt. Das Telefon ist nicht erreichbar. (30003)',
    ],
    [
      'Sending the message to +1 failed. It broke (error 99999)',
      'Die Nachricht an +1 konnte nicht gesendet werden. It broke (error 99999)',
    ],
    ['Sending the message to +1 failed.', 'Die Nachricht an +1 konnte nicht gesendet werden.'],
  ])('"%s" is said in German', (english, german) => {
    expect(read(english, 'de')).toBe(german)
  })

  test('each end of a message of which its thread is told has words', () => {
    const message = { type: 'WhatsApp', to: '+1', errorCode: null, errorMessage: null }
    const notes = MESSAGE_STATUSES.flatMap((status) => statusNote(status, message) ?? [])
    expect(notes).toHaveLength(3)
    expect(notes.map((note) => read(note, 'en'))).toEqual(notes)
    expect(notes.filter((note) => /message|failed/.test(read(note, 'de') ?? 'message'))).toEqual([])
  })

  test('what a person wrote stays', () => {
    expect(read('I called her. The message was read.', 'de')).toBeUndefined()
  })
})
