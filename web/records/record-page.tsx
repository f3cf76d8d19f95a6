import { type QueryClient, useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ApiError, GoneError } from '../data/errors.ts'
import { asks, keyOf } from '../data/keys.ts'
import { mayChange } from '../data/own-records.ts'
import { fieldsQuery } from '../data/queries.ts'
import { fetchMe, mayDo, useMe } from '../data/session.ts'
import { EmptyState } from '../design/empty-state.tsx'
import { type Act, useKeys } from '../design/keys.ts'
import { tellDone } from '../design/notices.tsx'
import { PageHead } from '../design/page-head.tsx'
import { phone } from '../words/formats.ts'
import { labelOf } from '../words/labels.ts'
import { useWords } from '../words/words.ts'
import { begunBy } from './begun.ts'
import { Chatter } from './chatter.tsx'
import { DeleteButton } from './delete-button.tsx'
import { drawnFieldsQuery, type Fields } from './fields.ts'
import { neighbourOf } from './list-order.ts'
import { mayMake } from './made-by-hand.ts'
import { MethodButtons } from './method-buttons.tsx'
import { modelsQuery } from './model-list.ts'
import { outOfUse } from './out-of-use.ts'
import { columnsOf, orderOf } from './parts.ts'
import { readWithParts } from './read-parts.ts'
import { RecordForm } from './record-form.tsx'
import { mayWrite } from './record-rights.ts'
import { titleOf } from './record-title.ts'
import { draftOf } from './record-values.ts'
import classes from './records.module.css'
import { ToolFigures } from './tool-figures.tsx'
import type { FormOf } from './use-record-form.ts'
import { useWays } from './ways.ts'

const NEW = 'new'
/** Records that have tools, or are one. */
const WITH_TOOLS = ['connect.voiceai_agent', 'connect.voiceai_agent_tool']

/** Any record of any model, among all data. */
export function RecordPage() {
  const { model = '', id: address = NEW } = useParams({ strict: false }) as { model?: string; id?: string }
  return <RecordOf model={model} address={address} />
}

/** What new menus and phone users begin with, as new numbers do. */
const SPEAKING = ['connect.telco.callflow', 'connect.user']

async function spokenWithCallers(queries: QueryClient, model: string): Promise<unknown> {
  if (!SPEAKING.includes(model)) return undefined
  const fields = await queries.fetchQuery(fieldsQuery('connect.telco.number')).catch(() => undefined)
  return fields?.language?.default
}

/** A record: its fields as a form, what can be done with it, and the notes on it. */
export function RecordOf({ model, address = NEW }: { model: string; address?: string | undefined }) {
  const say = useWords('records')
  const me = useMe()
  const { list, shown = list } = useWays(model)
  const id = address === NEW ? undefined : Number(address)
  const { data: models } = useSuspenseQuery(modelsQuery)
  const fields = useFormFields(model)
  const described = models.find((each) => each.name === model)
  const label = labelOf(described?.label ?? model, model)
  const search = useSearch({ strict: false })
  const { data: stored } = useSuspenseQuery(
    asks({
      queryKey: keyOf(model, 'record', id),
      queryFn: async ({ client }) => {
        // The company's zone as it is now: the page may be older than it.
        if (id === undefined) {
          const [me, spoken] = await Promise.all([fetchMe(), spokenWithCallers(client, model)])
          return draftOf(fields, { zone: me?.installation.tz, spoken })
        }
        const names = Object.values(fields)
          .filter(({ secret, type }) => !secret && type !== 'binary')
          .map(({ name }) => name)
        const found = Number.isSafeInteger(id)
          ? await readWithParts(model, id, fields, [...names, 'display_name']).catch(unlessGone)
          : undefined
        if (found === undefined) throw new GoneError(say('gone', { label }))
        return found
      },
    }),
  )
  const row = useMemo(
    () => (id === undefined ? { ...stored, ...begunBy(model, search) } : stored),
    [stored, id, model, search],
  )
  useRecordKeys(model, id)
  const title =
    id === undefined
      ? `${label}: ${say('new')}`
      : phone(titleOf(model, String(row.display_name || `${label} ${id}`), id))
  const hasChatter = described?.hasChatter === true && id !== undefined
  return (
    <>
      <PageHead title={title} mark={outOfUse(model, row, say)}>
        <Link to={shown}>{label}</Link>
        {id === undefined ? null : <MethodButtons key={`${model} ${id}`} {...{ model, id, fields, row }} />}
        {id === undefined || !mayChange(me, { model, row, right: 'd' }) ? null : (
          <DeleteButton key={`delete ${model} ${id}`} model={model} id={id} name={title} />
        )}
      </PageHead>
      <div className={hasChatter ? classes.record : undefined}>
        <FormOrWord key={`${model} ${address}`} model={model} label={label} id={id} fields={fields} row={row} />
        {hasChatter ? (
          <Chatter key={`chatter ${model} ${id}`} model={model} id={id} mayPost={mayChange(me, { model, row })} />
        ) : null}
      </div>
      {id === undefined || !WITH_TOOLS.includes(model) ? null : <ToolFigures model={model} id={id} />}
    </>
  )
}

/** The form of a record; of one that nobody makes by hand, or not the person who looks, that it is so. */
function FormOrWord(form: FormOf) {
  const say = useWords('records')
  const me = useMe()
  const hasForm =
    form.id !== undefined ||
    (mayMake(me, form.model) && Object.values(form.fields).some((field) => mayWrite(me, form, field)))
  return hasForm ? <RecordForm {...form} /> : <EmptyState title={say('notAdded')} detail={say('notAddedDetail')} />
}

/** Undefined for a record that there is not; any other refusal stays one. */
function unlessGone(error: unknown): undefined {
  if (error instanceof ApiError && error.kind === 'gone') return undefined
  throw error
}

/** What fields a model has, with what is entered of the parts of its records. */
function useFormFields(model: string): Fields {
  const me = useMe()
  const { data: fields } = useSuspenseQuery(drawnFieldsQuery(model))
  const lists = Object.values(fields).filter(({ parts, relation }) => parts === true && mayDo(me, relation ?? '', 'r'))
  const described = useSuspenseQueries({ queries: lists.map(({ relation }) => drawnFieldsQuery(relation ?? '')) })
  const withColumns = lists.map((field, at) => {
    const of = described[at]?.data ?? {}
    return [field.name, { ...field, columns: columnsOf(field, of), orderedBy: orderOf(of) }] as const
  })
  return { ...fields, ...Object.fromEntries(withColumns) }
}

/** `e` edits, `n` writes a note, `a` assigns, `m` moves, `[` and `]` go through the list one came from, `y` copies the link. */
function useRecordKeys(model: string, id: number | undefined): void {
  const say = useWords('records')
  const navigate = useNavigate()
  const { list, one, shown } = useWays(model)
  const keymap = useMemo(() => {
    const go = (step: 1 | -1): Act => {
      // A record that is edited where it is shown has neighbours there.
      const next = id === undefined || shown !== undefined ? undefined : neighbourOf(model, id, step)
      const run = () => next !== undefined && void navigate({ to: one(next) })
      return Object.assign(run, { isHere: () => next !== undefined })
    }
    return {
      e: into('form input:not([disabled]), form textarea'),
      n: into('[data-note] textarea'),
      a: into('[data-field="user_id"] input, [data-field="user"] input'),
      m: into('[data-field="stage_id"] input, [data-field="team_id"] input'),
      '[': go(-1),
      ']': go(1),
      y: () => void navigator.clipboard.writeText(location.href).then(() => tellDone(say('linkCopied'))),
      Escape: () => void navigate({ to: shown ?? list }),
    }
  }, [model, id, list, one, shown, navigate, say])
  useKeys(keymap)
}

/** Goes into a part of the page, where there is one. */
function into(selector: string): Act {
  const find = () => document.querySelector<HTMLElement>(`#page :is(${selector})`)
  return Object.assign(() => find()?.focus(), { isHere: () => find() !== null })
}
