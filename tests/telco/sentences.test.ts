// The sentences that callers hear from the service itself: each in every language that numbers, flows and users can have.
import { describe, expect, it } from 'vitest'
import { SPEECH_LANGUAGES } from '../../src/telco/callflows/speech-languages.ts'
import { checkMarkup } from '../../src/telco/markup/check.ts'
import { renderMarkup } from '../../src/telco/markup/verb.ts'
import { say } from '../../src/telco/markup/voice.ts'
import { type SentenceName, sentence } from '../../src/telco/sentences/sentence.ts'
import sentences from '../../src/telco/sentences/sentences.json' with { type: 'json' }

const NAMES = Object.keys(sentences) as SentenceName[]
const LANGUAGES = SPEECH_LANGUAGES.map(([language]) => language)

describe('every sentence', () => {
  it.each(LANGUAGES)('exists in %s, in its own words, with what it fills in', (language) => {
    for (const name of NAMES) {
      const text = sentence(name, language)
      const own = Object.keys(sentences[name]).some((code) => code === language || code === language.split('-')[0])
      expect(own, `${name} in ${language}`).toBe(true)
      expect(text.trim().length, `${name} in ${language}`).toBeGreaterThan(5)
      if (!language.startsWith('en')) expect(text, `${name} in ${language}`).not.toBe(sentence(name, 'en-US'))
      expect(text.match(/\{\{.*?\}\}/g)).toEqual(sentence(name).match(/\{\{.*?\}\}/g))
      expect(checkMarkup(renderMarkup([say(text, { language })]), { absoluteUrls: true })).toEqual([])
    }
  })

  it('every sentence is English where no language is known', () => {
    expect(sentence('nobodyAnswers')).toBe(sentences.nobodyAnswers.en)
    expect(sentence('nobodyAnswers', 'de-DE')).toBe(sentences.nobodyAnswers.de)
    expect(sentence('pleaseHold', 'pt-BR')).not.toBe(sentence('pleaseHold', 'pt-PT'))
  })

  it('guesses of no caller whether it is a man or a woman', () => {
    const GENDERED = /benvingut\b|\bbienvenido|^benvenut[oa]|bem-vind[oa]|désolé,/i
    for (const name of NAMES) for (const text of Object.values(sentences[name])) expect(text).not.toMatch(GENDERED)
  })

  it('every sentence has no language that is not offered, and no misspelt one', () => {
    const offered = new Set(LANGUAGES.flatMap((language) => [language, language.split('-')[0]]))
    for (const name of NAMES) for (const code of Object.keys(sentences[name])) expect(offered).toContain(code)
  })
})
