// What we write and accept, held against what the provider's SDK declares (emulators/telco/markup/language.json).
import { describe, expect, test } from 'vitest'
import { readElements } from '../../../emulators/telco/markup/element.ts'
import { LANGUAGE, wordsOf } from '../../../emulators/telco/markup/language.ts'
import { type MarkupWarning, markupWarnings } from '../../../emulators/telco/markup/warnings.ts'
import { SPEECH_LANGUAGES } from '../../../src/telco/callflows/speech-languages.ts'
import { ELEMENTS } from '../../../src/telco/markup/grammar.ts'
import type { ValueRule } from '../../../src/telco/markup/grammar-values.ts'
import { renderMarkup, type Verb } from '../../../src/telco/markup/verb.ts'
import { gather, say } from '../../../src/telco/markup/voice.ts'

const LANGUAGES = SPEECH_LANGUAGES.map(([language]) => language)

function warningsOf(verbs: readonly Verb[]): MarkupWarning[] {
  const read = readElements(renderMarkup(verbs))
  if ('problem' in read) throw new Error(read.problem)
  return markupWarnings(read.root)
}

describe.each(LANGUAGES)('in %s', (language) => {
  test.each([undefined, '', 'Woman', 'woman', 'MAN', 'Google.fr-FR-Standard-A', 'Polly.Amy'])(
    'a prompt is spoken with the wish for %s',
    (voice) => {
      expect(warningsOf([say('x', { language, voice })])).toEqual([])
    },
  )

  test('words are understood', () => {
    const options = { action: 'https://x/y', timeoutSeconds: 5, digits: 1, input: 'dtmf speech', language } as const
    expect(warningsOf([gather(options, [say('x', { language })])])).toEqual([])
  })
})

test('five languages are spoken by woman, the others by a voice of their own', () => {
  const voices = LANGUAGES.map((language) => String(say('x', { language }).attributes.voice))
  expect(voices.filter((voice) => voice === 'woman')).toHaveLength(7)
  expect(new Set(voices)).toHaveProperty('size', 1 + LANGUAGES.length - 7)
  expect(voices.filter((voice) => !wordsOf('SayVoice').includes(voice))).toEqual([])
})

test('a voice that speaks the language is left as it was chosen', () => {
  const voiceOf = (voice: string, language: string) => say('x', { language, voice }).attributes.voice
  expect(voiceOf('Google.pl-PL-Wavenet-A', 'pl-PL')).toBe('Google.pl-PL-Wavenet-A')
  expect(voiceOf('Polly.Ewa', 'pl-PL')).toBe('Polly.Ewa')
  expect(voiceOf('Man', 'en-GB')).toBe('man')
  expect(say('x', { voice: 'Woman' }).attributes.voice).toBe('woman')
})

test('every element of the provider is known here with its attributes, places and words, and no other', () => {
  expect([...ELEMENTS.keys()].sort()).toEqual(Object.keys(LANGUAGE.elements).sort())
  for (const [name, { attributes, children, text }] of Object.entries(LANGUAGE.elements)) {
    const rule = ELEMENTS.get(name)
    expect([name, Object.keys(rule?.attributes ?? {}).sort()]).toEqual([name, Object.keys(attributes).sort()])
    if (name !== 'Refer') expect([name, rule?.text !== undefined]).toEqual([name, text])
    const missing = children.filter((child) => rule?.children?.includes(child) !== true)
    expect([name, missing]).toEqual([name, []])
    for (const [attribute, kind] of Object.entries(attributes)) {
      const written = wordsOf(kind.replace(/\*$/, ''))
      const known = wordsIn(rule?.attributes[attribute])
      if (known !== undefined && written.length > 0) {
        expect([name, attribute, written.filter((word) => !known.includes(word))]).toEqual([name, attribute, []])
      }
    }
  }
})

function wordsIn(rule: ValueRule | undefined): readonly string[] | undefined {
  return rule !== undefined && 'words' in rule ? rule.words : undefined
}
