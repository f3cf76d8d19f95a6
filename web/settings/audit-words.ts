import { useQueries } from '@tanstack/react-query'
import { type ModelName, searchRead } from '../data/client.ts'
import { keyOf } from '../data/keys.ts'
import { byModel, changesOf, linksOf, titleOf } from '../records/audit-changes.ts'
import { allMethodsQuery, type Fields, wordedFieldsQuery } from '../records/fields.ts'
import { titleOf as nameIn } from '../records/record-title.ts'
import { nameOrId } from '../words/formats.ts'
import { labelOf } from '../words/labels.ts'
import { MODEL_LABELS } from '../words/model-labels.gen.ts'
import { programWords } from '../words/program-words.ts'

/** Their names are those that the provider gave them, or sentences of the service. */
const TOLD_BY_NUMBER = ['connect.call', 'connect.channel', 'connect.recording', 'connect.voiceai_file']

interface Told {
  model: string | null
  res_id: number | null
  changes: unknown
}

/** What the names in the audit mean, in words of people; each falls back to what is stored until more is known. */
export interface AuditWords {
  kindOf(model: string): string
  methodOf(model: string, name: string): string
  /** Undefined while they are read. */
  fieldsOf(model: string): Fields | undefined
  /** The kind of a record and what it is called, or its number where it is gone or not the reader's. */
  titleOf(model: string, id: number): string
  /** How the record is called; its number where it is gone or not the reader's, and a sign that its name is on its way. */
  nameOf(model: string, id: number): string
}

/** Reads what the entries need: labels of models, fields and methods, and the names of the records they are about. */
export function useAuditWords(entries: readonly Told[]): AuditWords {
  const named = [...new Set(entries.flatMap(({ model }) => (model === null ? [] : [model])))].sort()
  const fields = new Map(
    useQueries({ queries: named.map((model) => ({ ...wordedFieldsQuery(model), throwOnError: false })) }).map(
      ({ data, isPending }, at) => [named[at] ?? '', data ?? (isPending ? undefined : {})],
    ),
  )
  const methods = new Map(
    useQueries({ queries: named.map((model) => ({ ...allMethodsQuery(model), throwOnError: false })) }).map(
      ({ data }, at) => [named[at] ?? '', data ?? {}],
    ),
  )
  const records = byModel(
    entries.flatMap(({ model, res_id: id, changes }): [string, number][] => {
      if (model === null) return []
      const links = linksOf(changesOf(changes), (field) => fields.get(model)?.[field]?.relation)
      return id === null ? links : [[model, id], ...links]
    }),
  )
  for (const model of TOLD_BY_NUMBER) records.delete(model)
  const names = new Map(
    useQueries({ queries: [...records].map(([model, ids]) => namesQuery(model, ids)) }).map((query, at) => [
      [...records.keys()][at] ?? '',
      query,
    ]),
  )
  const nameOf = (model: string, id: number) => {
    const { data, isPending = false } = names.get(model) ?? {}
    return nameOrId(data?.get(id), id, isPending)
  }
  return {
    kindOf: programWords,
    titleOf: (model, id) =>
      titleOf(programWords(model), { english: MODEL_LABELS[model] ?? model, name: nameOf(model, id), id }),
    methodOf: (model, name) =>
      labelOf(methods.get(model)?.[name]?.label ?? name.replaceAll('_', ' '), `${model}.${name}`),
    fieldsOf: (model) => fields.get(model),
    nameOf,
  }
}

function namesQuery(model: string, ids: readonly number[]) {
  return {
    queryKey: keyOf(model, 'called', ids),
    throwOnError: false,
    queryFn: async (): Promise<Map<number, string>> => {
      const rows = await searchRead(model as ModelName, {
        domain: [['id', 'in', ids]],
        fields: ['display_name'] as never[],
        limit: ids.length,
      })
      return new Map(
        (rows as unknown as { id: number; display_name: string | null }[]).map(({ id, display_name: name }) => [
          id,
          nameIn(model, name ?? ''),
        ]),
      )
    },
  }
}
