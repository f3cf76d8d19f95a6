/** What programs sent each other, as people read it: JSON, the fields of a form and markup; pure. */
import type { Manner } from '../records/export-rows.ts'
import { isMoment, lineOf } from '../words/for-people.ts'
import { plain, wallTime } from '../words/formats.ts'
import { labelOf } from '../words/labels.ts'
import { partName } from '../words/program-words.ts'

/** An address or a form: names and values, joined as browsers do. */
const FORM = /^(?:[^\s?=&<>]*\?)?[^\s=&?<>]+=[^\s&<>]*(?:&[^\s=&<>]+=[^\s&<>]*)*$/
const TAG = /<(\/?)([a-z][\w:-]*)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>/gi
const ATTRIBUTE = /([\w:-]+)="([^"]*)"/g
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", amp: '&' }

/** What is none of them stays as it came. */
export function cameAsWords(text: string, manner: Manner): string {
  const written = text.trim()
  const value = jsonIn(written)
  if (value !== undefined) return lineOf(value, (part) => partText(part, manner), partName)
  if (FORM.test(written)) return formWords(written)
  return written.startsWith('<') ? markupWords(written) : text
}

function jsonIn(text: string): unknown {
  if (!/^[{[]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function formWords(text: string): string {
  const at = text.indexOf('?')
  const path = at < 0 ? '' : text.slice(0, at)
  const pairs = [...new URLSearchParams(text.slice(at + 1))].filter(([, value]) => value !== '')
  return [...(path === '' ? [] : [path]), ...pairs.map(([name, value]) => `${partName(name)}: ${value}`)].join('; ')
}

/** `<Say voice="x">Hello</Say>` as `Say (voice: x): Hello`. */
function markupWords(text: string): string {
  const words = text
    .replace(/^<\?xml[^>]*\?>/, '')
    .replaceAll(TAG, (_whole, closes: string, verb: string, attributes: string) => {
      if (closes !== '') return '\n'
      const named = [...attributes.matchAll(ATTRIBUTE)].map(([, name, value]) => `${name}: ${value}`)
      return `\n${verb}${named.length === 0 ? '' : ` (${named.join(', ')})`}: `
    })
    .replaceAll(/&(lt|gt|quot|apos|#39|amp);/g, (_whole, name: string) => ENTITIES[name] ?? '')
  const lines = words.split('\n').map((line) => line.trim().replace(/:$/, ''))
  return lines.filter((line) => line !== '').join('; ')
}

/** A part of a value: yes or no, a time in the reader's zone, a word of the service in their language. */
export function partText(part: string | number | boolean, { zone, yes, no }: Manner): string {
  if (typeof part === 'boolean') return part ? yes : no
  const text = String(part)
  return isMoment(text) ? wallTime(text, zone) : plain(labelOf(text))
}
