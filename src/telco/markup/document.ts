import { type MarkupElement, parseMarkup } from './parse.ts'
import { MARKUP_BYTES_MAX } from './verb.ts'

/** Why the provider could not read this document at all; undefined when it can. */
export function markupProblem(markup: string): string | undefined {
  const read = readDocument(markup)
  return 'problem' in read ? read.problem : undefined
}

/** The same, or that the document would end the call without a word. */
export function answerProblem(markup: string): string | undefined {
  const read = readDocument(markup)
  if ('problem' in read) return read.problem
  return read.root.children.length === 0 ? 'The document holds no instruction.' : undefined
}

function readDocument(markup: string): { root: MarkupElement } | { problem: string } {
  // Characters first: their number is known, the bytes would have to be counted.
  if (markup.length > MARKUP_BYTES_MAX || Buffer.byteLength(markup) > MARKUP_BYTES_MAX) {
    return { problem: `The document has more than the ${MARKUP_BYTES_MAX} bytes that the provider accepts.` }
  }
  const parsed = parseMarkup(markup)
  if ('problem' in parsed) return parsed
  const [root] = parsed.elements
  return root?.name === 'Response' ? { root } : { problem: 'The document must be one <Response>.' }
}
