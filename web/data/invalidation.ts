/** Which queries a change makes old, as a table; pure. */
import type { QueryKey } from '@tanstack/react-query'

/** Changes of one model, as the stream tells of them. */
export interface Change {
  model: string
  /** Null: whichever of those that one may read. */
  ids: readonly number[] | null
  gone?: true
  /** Calls that they belong to; null as above. */
  calls?: readonly number[] | null
}

const CALL = 'connect.call'

/** Whether any phone rings for those who call. */
const OF_PHONES: readonly QueryKey[] = [
  ['connect.telco.callflow', 'rings-no-one'],
  ['connect.telco.number', 'reaches-no-one'],
]

/** Everything there was with a contact. */
const CONTACT_STORY: QueryKey = ['res.partner', 'story']
const CONTACT_NOTES: QueryKey = ['res.partner', 'posts']

/** What else is drawn from the records of a model: keys that begin so are old after any change of it. */
const DRAWN_FROM: Readonly<Record<string, readonly QueryKey[]>> = {
  // A call that is over leaves a note on its contact.
  'connect.call': [CONTACT_STORY, CONTACT_NOTES],
  'connect.message': [['connect.conversation'], CONTACT_STORY],
  'calendar.event': [CONTACT_STORY],
  'connect.conversation': [['connect.message']],
  'connect.conversation.reader': [['connect.message']],
  // A run may have mended what a call ended by.
  'connect.sync_run': [['connect.call', 'explain']],
  'connect.inbox': [['connect.delivery']],
  // What proves that a webhook is the provider's is said there.
  'connect.settings': [['connect.delivery', 'replayable'], ['connect.user', 'silent'], ...OF_PHONES],
  'connect.user': OF_PHONES,
  'connect.telco.callflow': [['connect.telco.number', 'reaches-no-one']],
  'helpdesk.ticket': [['helpdesk.stage', 'board'], CONTACT_STORY],
  'helpdesk.stage': [['helpdesk.ticket']],
  'res.users.invitation': [['res.users']],
}
/** Parts of the page of one call, which are drawn from whatever belongs to it. */
const OF_ONE_CALL = ['timeline', 'explain', 'legs', 'recording-state', 'one', 'record']
/** What no change of a record makes old. */
const LASTING = ['fields', 'methods']
/** Drawn from many records: read anew now and then and not with each change. */
const COUNTED = ['count', 'counts', 'figures', 'last-hour', 'tool-figures', 'tool-stats', 'of-agents', 'story']
/** Models of which not every change is told, such as legs (their call is): what was read of them grows old by itself. */
const UNTOLD = ['connect.channel', 'connect.job', 'connect.audit', 'res.users.session']

/** Whether the changes make old what was read under the key. */
export function isOld(key: QueryKey, changes: readonly Change[]): boolean {
  return changes.some((change) => isTouched(key, change))
}

/** Whether the stream tells of every change of what was read under the key. */
export function isTold([model]: QueryKey): boolean {
  return typeof model === 'string' && model.includes('.') && !UNTOLD.includes(model)
}

/** Whether it is drawn from many records, as the notes on a contact are: any call may leave one. */
export function isCounted([model, part]: QueryKey): boolean {
  return COUNTED.includes(String(part)) || (model === CONTACT_NOTES[0] && part === CONTACT_NOTES[1])
}

function isTouched(key: QueryKey, { model, ids, calls }: Change): boolean {
  const [first, part, third] = key
  if (LASTING.includes(String(part))) return false
  if (first === model) return ids === null || typeof third !== 'number' || ids.includes(third)
  if (first === CALL && OF_ONE_CALL.includes(String(part)) && calls !== undefined) {
    return calls === null || (typeof third === 'number' && calls.includes(third))
  }
  return (DRAWN_FROM[model] ?? []).some((start) => start.every((value, at) => key[at] === value))
}
