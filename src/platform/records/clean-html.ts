import { createRequire } from 'node:module'
import { Refusal } from '../../errors.ts'
import type { Model, Values } from '../model/model.ts'

/** Characters of HTML that somebody may write; a text of that length is cleaned within 100 ms however it is nested. */
const HTML_CHARS_MAX = 20_000
const NESTING_MAX = 20

const RULES: import('sanitize-html').IOptions = {
  allowedTags: [
    ...['p', 'br', 'div', 'span', 'b', 'strong', 'i', 'em', 'u', 's', 'code', 'pre', 'blockquote', 'hr'],
    ...['h1', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: { a: ['href', 'rel', 'target'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  nestingLimit: NESTING_MAX,
  transformTags: {
    a: (tagName, { href }) => ({
      tagName,
      attribs: { ...(href === undefined ? {} : { href }), rel: 'noopener noreferrer', target: '_blank' },
    }),
  },
}

/**
 * HTML with nothing in it but text, simple structure, and links that people may follow. Where a tag goes, those around it may
 * close one another only when they are read again: what is cleaned twice stays as it is.
 */
function cleanHtml(written: string): string {
  const clean = loadSanitizer()
  const once = clean(written, RULES)
  return once === written ? once : clean(once, RULES)
}

/** The values with what is written to HTML columns cleaned, no matter who writes; refuses one that is too long to be cleaned. */
export function withCleanHtml(model: Model, values: Values): Values {
  const cleaned: Values = { ...values }
  for (const [name, value] of Object.entries(values)) {
    if (model.fields[name]?.kind !== 'html' || typeof value !== 'string') continue
    if (value.length > HTML_CHARS_MAX) {
      throw new Refusal('refused', 'too-long', { path: `${model.name}.${name}`, text_length: HTML_CHARS_MAX })
    }
    cleaned[name] = cleanHtml(value)
  }
  return cleaned
}

// Loaded when the first HTML is written: it takes about 100 ms and 19 MB, which no start and no webhook needs.
const require = createRequire(import.meta.url)
function loadSanitizer(): typeof import('sanitize-html') {
  return require('sanitize-html') as typeof import('sanitize-html')
}
