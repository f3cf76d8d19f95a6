import { type ElementRule, TEXT, word } from './grammar-values.ts'

export const SSML = ['break', 'emphasis', 'lang', 'p', 'phoneme', 'prosody', 's', 'say-as', 'sub', 'w']

/** Speech marks inside `Say`; they may stand in one another. */
export const SPEECH: Readonly<Record<string, ElementRule>> = {
  break: { attributes: { strength: TEXT, time: TEXT } },
  emphasis: { attributes: { level: word('strong', 'moderate', 'reduced') }, children: SSML, text: 'optional' },
  lang: { attributes: { 'xml:lang': TEXT }, children: SSML, text: 'optional' },
  p: { attributes: {}, children: SSML, text: 'optional' },
  phoneme: { attributes: { alphabet: TEXT, ph: TEXT }, children: SSML, text: 'optional' },
  prosody: { attributes: { pitch: TEXT, rate: TEXT, volume: TEXT }, children: SSML, text: 'optional' },
  s: { attributes: {}, children: SSML, text: 'optional' },
  'say-as': { attributes: { 'interpret-as': TEXT, format: TEXT }, children: SSML, text: 'optional' },
  sub: { attributes: { alias: TEXT }, children: SSML, text: 'optional' },
  w: { attributes: { role: TEXT }, children: SSML, text: 'optional' },
}
