/** What one may do with the record of a page; pure. */
import { isOwnDraft, mayChange, mayKeepKeys } from '../data/own-records.ts'
import type { FieldInfo } from '../data/queries.ts'
import { type Me, mayDo } from '../data/session.ts'
import type { MethodInfo } from './method-arguments.ts'
import { isWritable, type Values } from './record-values.ts'

export interface RecordOf {
  model: string
  /** Undefined for one that is to be made. */
  id: number | undefined
  row: Values
}

/** Methods that pages of their own are made of, or that only programs call: no menu offers them. */
const OF_PAGES: Readonly<Record<string, readonly string[]>> = {
  'res.partner': [
    'lookup_number',
    'lookup',
    'duplicates',
    'merge',
    'merged_into',
    'erase',
    'erase_preview',
    'story',
    'export_person',
  ],
  'res.groups': ['agent_calls'],
  'res.users': ['set_preferences', 'invite', 'api_key_create'],
  'connect.settings': ['explain_signature', 'impact', 'check_address', 'play_call', 'backup_status'],
  'connect.telco.exten': ['ensure'],
  'connect.telco.number': ['search_available', 'purchase_countries', 'purchase_papers', 'buy'],
  'helpdesk.ticket': ['board', 'find', 'move'],
  'connect.call': ['timeline', 'stats', 'to_call_back', 'explain', 'recording_state'],
  'connect.conversation': ['answering', 'mark_read'],
  'connect.message': ['conversations', 'conversation_counts', 'send', 'sending_obstacle'],
  'connect.delivery': ['stats', 'explain', 'replayable'],
  'connect.voiceai_agent': ['save_draft', 'publish_draft', 'discard_draft', 'set_up', 'set_up_texts'],
  'connect.voiceai_agent_tool': ['stats'],
  'connect.user': ['colleague_search', 'web_phone_token'],
}
const CHANGING = ['write', 'unlink']
/** Methods that answer for one record only, and for whose. */
const OF_KEYS = ['api_key_create', 'api_keys_end']

/** Whether somebody may save the form of a record. */
export function maySave(me: Me, { model, id, row }: RecordOf): boolean {
  return id === undefined ? mayDo(me, model, 'c') : mayChange(me, { model, row })
}

/** Whether somebody may write a field of it. */
export function mayWrite(me: Me, record: RecordOf, field: FieldInfo): boolean {
  const isNew = record.id === undefined
  if (!isWritable(field, isNew) || !maySave(me, record)) return false
  return isNew || field.written_when !== 'drafting' || isOwnDraft(me, record.row)
}

/** Whether somebody may call a method with it. A record says of itself what cannot be done with it any more, as a run that has ended. */
export function mayCall(me: Me, { model, id, row }: RecordOf, name: string, { allowed, takes }: MethodInfo): boolean {
  if (!allowed || row[`can_${name}`] === false) return false
  if (OF_KEYS.includes(name)) return mayKeepKeys(me, id)
  if (!CHANGING.includes(takes ?? '')) return true
  return mayChange(me, { model, row, right: takes === 'unlink' ? 'd' : 'w' })
}

/** Whether a method is one that somebody presses on the page of a record. */
export function isForPeople(model: string, name: string): boolean {
  return OF_PAGES[model]?.includes(name) !== true
}

/** Whether a method is one for many records at once. */
export function isForMany(name: string, { allowed, arguments: args }: MethodInfo): boolean {
  return allowed && (args.required ?? []).length === 0 && !OF_KEYS.includes(name)
}

/** Whether a method changes the records that it is called with. */
export function isChanging({ takes }: MethodInfo): boolean {
  return CHANGING.includes(takes ?? '')
}
