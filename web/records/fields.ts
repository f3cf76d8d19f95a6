import { callByName } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { type FieldInfo, fieldsQuery } from '../data/queries.ts'
import { labelOf } from '../words/labels.ts'
import { helpOf, wholeHelpOf } from '../words/server-words.ts'
import type { MethodInfo } from './method-arguments.ts'

export type Fields = Record<string, FieldInfo>

/** What fields a model has, with labels in the reader's language. */
export function wordedFieldsQuery(model: string) {
  return { ...fieldsQuery(model), select: (fields: Fields) => worded(model, fields) }
}

export function worded(model: string, fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      {
        ...field,
        string: labelOf(field.string, `${model}.${name}`),
        // What a value must be like is said when it is refused.
        help:
          typeof field.hint === 'string' ? (isWrittenAsJson(field) ? wholeHelpOf : helpOf)(field.hint) || null : null,
        ...(field.selection === undefined
          ? {}
          : {
              selection: field.selection.map(([value, label]) => [value, labelOf(label, `${model}.${name}.${value}`)]),
            }),
      } as FieldInfo,
    ]),
  )
}

/** Who writes it has to know how. */
function isWrittenAsJson({ type, readonly }: FieldInfo): boolean {
  return type === 'json' && readonly !== true
}

/** What a choice is called; the choice itself until that is known. */
export function choiceOf(field: FieldInfo | undefined, value: string | null): string {
  return field?.selection?.find(([choice]) => choice === value)?.[1] ?? value ?? ''
}

/** Methods that pages of their own are made of, or that only programs call: no menu offers them. */
const OF_PAGES: Readonly<Record<string, readonly string[]>> = {
  'res.partner': ['lookup_number', 'lookup', 'duplicates', 'merge', 'erase', 'erase_preview', 'story', 'export_person'],
  'res.groups': ['agent_calls'],
  'res.users': ['set_preferences', 'invite', 'api_key_create'],
  'connect.settings': ['explain_signature', 'impact', 'check_address', 'play_call', 'backup_status'],
  'helpdesk.ticket': ['board', 'move'],
  'connect.call': ['timeline', 'stats', 'to_call_back', 'explain', 'recording_state'],
  'connect.message': ['conversations', 'conversation_counts', 'send', 'sending_obstacle'],
  'connect.delivery': ['stats', 'explain'],
  'connect.voiceai_agent_tool': ['stats'],
  'connect.user': ['colleague_search', 'web_phone_token'],
}

export function methodsQuery(model: string) {
  return asks({
    queryKey: keyOf(model, 'methods'),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const methods = (await callByName(model, 'methods_get', {})) as Record<string, MethodInfo>
      return Object.fromEntries(Object.entries(methods).filter(([name]) => !OF_PAGES[model]?.includes(name)))
    },
  })
}
