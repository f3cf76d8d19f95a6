/** What callers hear of a record as it is typed, where that may surprise who saves it; pure. */
import { rowsOf } from './parts.ts'
import { PRESET_PROMPTS } from './preset-prompts.gen.ts'
import { changesOf, type Values } from './record-values.ts'

/** What decides what a caller of a closed number hears. */
const WHEN_CLOSED = ['business_hours', 'closed_exten', 'closed_message']
/** Anything that a menu does for callers who press nothing. */
const GOES_ON = ['ring_users', 'ring_mobiles', 'voicemail_enabled', 'fallback_exten', 'fallback_message']

/** A sentence, with what was typed into it. */
export interface Heard {
  says: 'closedRings' | 'closedHears' | 'closedUsual' | 'nothingPressed'
  what: string
  /** Which short number callers reach; `what` is its digits alone. */
  extension?: number
}

export function callersHear(model: string, stored: Values, values: Values): Heard[] {
  if (model === 'connect.telco.number') return whenClosed(stored, values)
  return model === 'connect.telco.callflow' && endsWithoutInput(values) ? [{ says: 'nothingPressed', what: '' }] : []
}

/** Of a number that is closed at times, while that is being changed. */
function whenClosed(stored: Values, values: Values): Heard[] {
  const typed = Object.fromEntries(WHEN_CLOSED.map((name) => [name, values[name] ?? null]))
  if (isEmpty(values.business_hours) || Object.keys(changesOf(stored, typed)).length === 0) return []
  return [closedHears(values)]
}

/** What callers of a number hear when it is closed. */
export function closedHears({ closed_exten: exten, closed_message: message }: Values): Heard {
  if (Array.isArray(exten)) return { says: 'closedRings', what: String(exten[1] ?? ''), extension: Number(exten[0]) }
  return isEmpty(message) ? { says: 'closedUsual', what: '' } : { says: 'closedHears', what: String(message).trim() }
}

/** Whether a menu asks, and does nothing for callers who do not choose. */
function endsWithoutInput(values: Values): boolean {
  const asks = values.gather_input === true && !isEmpty(values.prompt_message) && rowsOf(values.choices).length > 0
  return asks && GOES_ON.every((name) => isEmpty(values[name]))
}

/** Whether a flow asks its callers to choose in the words that come with it, and has nothing to choose from. */
export function asksInVain(model: string, name: string, values: Values): boolean {
  if (model !== 'connect.telco.callflow' || name !== 'prompt_message') return false
  const prompt = String(values.prompt_message ?? '').trim()
  return PRESET_PROMPTS.includes(prompt) && rowsOf(values.choices).length === 0
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return value === undefined || value === null || value === false || String(value).trim() === ''
}
