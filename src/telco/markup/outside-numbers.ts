import { bareAddress } from '../../phone.ts'
import { readWritten } from '../../written-number.ts'
import { parseMarkup } from './parse.ts'

const SEPARATORS = /[\s().\-/]/g
/** A number of North America as it is written at home, which the provider takes for one of there (its page "<Dial>"). */
const NORTH_AMERICAN = /^[2-9]\d{9}$/

/** Numbers outside that a document has called, in `<Dial>`, `<Number>` and `<WhatsApp>`, and those that it writes to. */
interface OutsideNumbers {
  called: string[]
  writtenTo: string[]
}

/** The numbers outside in a document, with + and the calling code; none in what is no document. */
export function outsideNumbers(markup: string): OutsideNumbers {
  const numbers: OutsideNumbers = { called: [], writtenTo: [] }
  const parsed = parseMarkup(markup)
  if ('problem' in parsed) return numbers
  for (const { name, text, attributes } of parsed.elements) {
    if (name === 'Dial' || name === 'Number' || name === 'WhatsApp') numbers.called.push(...numberIn(text))
    if (name === 'Message' || name === 'Sms') numbers.writtenTo.push(...numberIn(attributes.to ?? ''))
  }
  return numbers
}

function numberIn(text: string): string[] {
  const written = bareAddress(readWritten(text).text).replaceAll(SEPARATORS, '')
  if (!/^\+?\d/.test(written)) return []
  if (written.startsWith('+') || written.startsWith('0')) return [written]
  return [NORTH_AMERICAN.test(written) ? `+1${written}` : `+${written}`]
}
