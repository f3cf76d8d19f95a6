import { callByName } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { type FieldInfo, fieldsQuery } from '../data/queries.ts'
import { labelOf } from '../words/labels.ts'
import { helpOf, wholeHelpOf } from '../words/server-words.ts'
import type { MethodInfo } from './method-arguments.ts'
import { isForPeople } from './record-rights.ts'
import { drawnFields } from './unread-fields.ts'

export type Fields = Record<string, FieldInfo>

/** What fields a model has, with labels in the reader's language. */
export function wordedFieldsQuery(model: string) {
  return { ...fieldsQuery(model), select: (fields: Fields) => worded(model, fields) }
}

/** The same without the fields that nothing obeys, for screens. */
export function drawnFieldsQuery(model: string) {
  return { ...fieldsQuery(model), select: (fields: Fields) => worded(model, drawnFields(model, fields)) }
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

/** What can be done with a model, also by what is no button of a form. */
export function allMethodsQuery(model: string) {
  return asks({
    queryKey: keyOf(model, 'methods'),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await callByName(model, 'methods_get', {})) as Record<string, MethodInfo>,
  })
}

/** The same without what only programs and other pages call. */
export function methodsQuery(model: string) {
  return {
    ...allMethodsQuery(model),
    select: (methods: Record<string, MethodInfo>) =>
      Object.fromEntries(Object.entries(methods).filter(([name]) => isForPeople(model, name))),
  }
}
