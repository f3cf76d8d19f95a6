import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { call, callByName } from '../data/client.ts'
import { fieldsChangedSince, useDraft } from '../data/drafts.ts'
import { ApiError, GoneError } from '../data/errors.ts'
import { asks, keyOf, keysOf } from '../data/keys.ts'
import type { Link } from '../data/models.gen.ts'
import type { FieldInfo } from '../data/queries.ts'
import { listQuery } from '../data/queries.ts'
import { mayDo, useMe } from '../data/session.ts'
import { tellRefusal } from '../design/notices.tsx'
import { useProblem } from '../design/use-problem.ts'
import { type Fields, wordedFieldsQuery } from '../records/fields.ts'
import { useMadeForForm } from '../records/made-for-form.ts'
import { only, type Values, wire } from '../records/record-values.ts'
import { useWords } from '../words/words.ts'
import { type Typed, withTyped } from './typed.ts'

export const AGENT = 'connect.voiceai_agent'
export const DRAFT = 'connect.voiceai_agent_draft'
export const VERSION = 'connect.voiceai_agent_prompt'
export const AUDIT = 'connect.audit'

/** What one sees at once; everything else that may be changed stands behind "More". */
export const FIRST_FIELDS = ['prompt', 'first_message', 'language', 'voice', 'tools', 'fallback_exten'] as const
/** Shown in another way than as a field of their own, or changed where they belong. */
const NOT_FIELDS = [
  ...[
    'active_prompt_version',
    'prompt_version_ids',
    'template',
    'transfer_to_agent',
    'first_message_translations',
    'knowledge',
  ],
  ...['agent_uid', 'remarks'],
]

/** A draft as it is stored. */
interface StoredDraft {
  vals: Values
  stamp: string | null
  by: Link | null
  at: string | null
}

/** An agent with its draft, and with what is typed. */
export interface AgentView {
  id: number
  fields: Fields
  /** As calls have it. */
  row: Values
  /** With the draft and what is typed. */
  shown: Values
  draft: StoredDraft | undefined
  /** What would change: the draft with what is typed. */
  pending: Values
  /** Something is typed that is not in the draft. */
  isTyped: boolean
  mayWrite: boolean
  /** Of what is made where one is chosen in a field of it. */
  noting: ReturnType<typeof useMadeForForm>['noting']
  problems: Readonly<Record<string, string>>
  change(name: string, value: unknown): void
  /** Saves what is typed as the draft, which asks the platform nothing. */
  save(): Promise<void>
  publish(): Promise<void>
  discard(): Promise<void>
}

/** The fields that stand behind "More". */
export function moreFields(fields: Fields): FieldInfo[] {
  const isMore = ({ name, readonly, type, secret }: FieldInfo) =>
    !readonly &&
    !secret &&
    type !== 'one2many' &&
    !FIRST_FIELDS.some((each) => each === name) &&
    !NOT_FIELDS.includes(name)
  return Object.values(fields).filter(isMore)
}

/** An agent as its page shows it; throws what the page of a record that is gone says. */
export function useAgent(id: number): AgentView {
  const me = useMe()
  const say = useWords('agents')
  const queries = useQueryClient()
  const { data: fields } = useSuspenseQuery(wordedFieldsQuery(AGENT))
  const row = useRow(id, fields, say('gone'))
  const draft = useStoredDraft(id)
  const [typed, setTyped] = useDraft<Typed>({ model: AGENT, id, field: 'draft' })
  const sending = useRef<Values>({})
  const made = useMadeForForm({ model: AGENT, id })
  const [problems, setProblems] = useProblem<Readonly<Record<string, string>>>({})
  const refresh = async (): Promise<void> => {
    // No change of the audit is told, and former texts are read from it. The draft goes last: what it says is then in the agent.
    await Promise.all([AGENT, VERSION, AUDIT].map((model) => queries.invalidateQueries({ queryKey: keysOf(model) })))
    await queries.invalidateQueries({ queryKey: keysOf(DRAFT) })
  }
  const stamp = draft?.stamp ?? null
  const stampNow = (): string | null => {
    const now = queries.getQueryData(draftQuery(id).queryKey)?.[0] as { write_stamp?: string } | undefined
    return now?.write_stamp ?? null
  }
  /** A draft that was stored is stored again; where somebody else was faster, it is typed. */
  const putBack = async (gone: { typed: Typed | undefined; draft: StoredDraft | undefined }): Promise<void> => {
    const vals = gone.draft?.vals ?? {}
    const seen = wired(only(row, Object.keys(vals)))
    const sent = { ids: [id], vals, seen, unchanged_since: null }
    const isStored = gone.draft === undefined || (await call(AGENT, 'save_draft', sent).then(() => true, tellRefusal))
    await refresh()
    const typedAgain = isStored ? gone.typed : { values: { ...vals, ...gone.typed?.values }, seen }
    if (typedAgain !== undefined) setTyped((now) => withDiscarded(typedAgain, now, stampNow()))
  }
  /** Anyone who has been told of the change of another looks at it, and may save again. */
  const lookAgain = async (error: unknown): Promise<never> => {
    if (error instanceof ApiError && error.kind === 'taken') {
      await refresh()
      const current = queries.getQueryData(rowQuery(id, fields).queryKey) as Values | null | undefined
      setTyped((before) => {
        if (before === undefined) return undefined
        const seen = Object.keys(before.seen).map((name) => [name, wire(current?.[name])])
        return { ...before, seen: Object.fromEntries(seen), stamp: stampNow() }
      })
    }
    setProblems(problemsOf(error))
    throw error
  }
  const written = Object.entries(typed?.values ?? {}).map(([name, value]) => [name, wire(value)])
  const pending: Values = { ...draft?.vals, ...Object.fromEntries(written) }
  return {
    ...{ id, fields, row, draft, pending, problems, isTyped: typed !== undefined, mayWrite: mayDo(me, AGENT, 'w') },
    noting: made.noting,
    shown: { ...row, ...draft?.vals, ...typed?.values },
    change: (name, value) =>
      void setTyped((before) =>
        withTyped(before ?? { values: {}, seen: {}, stamp }, {
          ...{ name, value, row, drafted: draft?.vals ?? {} },
          sending: sending.current,
        }),
      ),
    async save() {
      if (typed === undefined) return
      const sent = { ids: [id], vals: pending, seen: typed.seen, unchanged_since: typed.stamp }
      sending.current = typed.values
      try {
        await call(AGENT, 'save_draft', sent).catch(lookAgain)
        setProblems({})
        // What is typed stays in its field until the draft is read again; what was typed meanwhile stands on that draft.
        await refresh()
        setTyped((now) => leftOf(now, typed.values, stampNow()))
      } finally {
        sending.current = {}
      }
    },
    async publish() {
      await call(AGENT, 'publish_draft', { ids: [id], unchanged_since: stamp }).catch(lookAgain)
      made.kept()
      await refresh()
    },
    async discard() {
      if (draft !== undefined)
        await call(AGENT, 'discard_draft', { ids: [id], unchanged_since: stamp }).catch(lookAgain)
      setTyped(undefined)
      setProblems({})
      made.discarded(say('discarded'), () => void putBack({ typed, draft }).catch(tellRefusal))
      await refresh()
    },
  }
}

function wired(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, wire(value)]))
}

/** What was discarded is typed again; what was typed since stays. */
function withDiscarded(gone: Omit<Typed, 'stamp'>, now: Typed | undefined, stamp: string | null): Typed {
  return { values: { ...gone.values, ...now?.values }, seen: { ...now?.seen, ...gone.seen }, stamp }
}

/** What is still typed once what was sent is saved. */
function leftOf(now: Typed | undefined, sent: Values, stamp: string | null): Typed | undefined {
  const values = fieldsChangedSince(sent)(now?.values)
  return now && values && { values, seen: only(now.seen, Object.keys(values)), stamp }
}

function rowQuery(id: number, fields: Fields) {
  const names = Object.values(fields)
    .filter(({ type, secret, heavy }) => !secret && heavy !== true && type !== 'binary')
    .map(({ name }) => name)
  return asks({
    queryKey: keyOf(AGENT, 'with-draft', id),
    queryFn: async () => {
      const rows = (await callByName(AGENT, 'read', { ids: [id], fields: names })) as Values[]
      return rows[0] ?? null
    },
  })
}

function useRow(id: number, fields: Fields, gone: string): Values {
  const { data } = useSuspenseQuery({
    ...rowQuery(id, fields),
    ...(Number.isSafeInteger(id) ? {} : { queryFn: async () => null }),
  })
  if (data === null) throw new GoneError(gone)
  return data as Values
}

function draftQuery(id: number) {
  return listQuery(DRAFT, {
    domain: [['agent', '=', id]],
    fields: ['vals', 'write_stamp', 'write_uid', 'write_date'],
    limit: 1,
  })
}

function useStoredDraft(id: number): StoredDraft | undefined {
  const { data } = useQuery(draftQuery(id))
  const [draft] = data ?? []
  if (draft === undefined) return undefined
  return { vals: draft.vals as Values, stamp: draft.write_stamp, by: draft.write_uid, at: draft.write_date }
}

function problemsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const named = error.problems.filter(({ field }) => field !== null)
  return Object.fromEntries(named.map(({ field, message }) => [field, message]))
}
