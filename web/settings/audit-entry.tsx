import { Link } from '@tanstack/react-router'
import type { Row } from '../data/client.ts'
import type { FieldInfo } from '../data/queries.ts'
import { type Change, changesOf, isNothing } from '../records/audit-changes.ts'
import { FieldText, textOf } from '../records/field-text.tsx'
import { JsonText } from '../records/json-text.tsx'
import { nameForPeople } from '../words/for-people.ts'
import { plain } from '../words/formats.ts'
import type { Keys } from '../words/keys.ts'
import { formats, useWords } from '../words/words.ts'
import type { AuditWords } from './audit-words.ts'
import classes from './settings.module.css'

export const AUDIT_FIELDS = ['at', 'user', 'key', 'via', 'model', 'res_id', 'what', 'changes'] as const
export type Entry = Row<'connect.audit', (typeof AUDIT_FIELDS)[number]> & { id: number }

export const DEEDS: Readonly<Record<string, Keys['settings']>> = {
  create: 'auditCreated',
  merged_away: 'auditMerged',
  write: 'auditWritten',
  unlink: 'auditDeleted',
}
/** More of them stand behind a press. */
const OPEN_CHANGES_MAX = 4
/** What people enter, by the name under which something made of it is stored. */
const PERSON_KNOWS: Readonly<Record<string, string>> = { password_hash: 'password' }
const STORED_AS_TEXT = ['json', 'one2many', 'many2many', 'html']
/** The name that the service gives the keys of its own command line. */
const LOCAL_KEY = /^local-admin\.key\b/

/** Who did what to which record, in words. */
export function AuditEntry({ entry, words }: { entry: Entry; words: AuditWords }) {
  const say = useWords('settings')
  const { at, user, model, what } = entry
  const deed = DEEDS[what ?? '']
  return (
    <li className={classes.row}>
      <div className={classes.grow}>
        <strong>{plain(user?.[1] ?? say('auditNobody'))}</strong> · <About entry={entry} words={words} /> ·{' '}
        {deed === undefined ? words.methodOf(model ?? '', what ?? '') : say(deed)}
        <div className="dim">
          <time dateTime={at === null ? undefined : formats.exact(at)}>{formats.time(at)}</time> · <By entry={entry} />
        </div>
        <Rest entry={entry} words={words} />
      </div>
    </li>
  )
}

/** What was changed; what is long, and the names that programs have for it, stand behind a press. */
function Rest({ entry, words }: { entry: Entry; words: AuditWords }) {
  const say = useWords('settings')
  const { model, res_id: record, what } = entry
  const changes = shownOf(entry)
  const isLong = changes.length > OPEN_CHANGES_MAX || (what === 'create' && changes.length > 0)
  const list = <Changes changes={changes} entry={entry} words={words} />
  return (
    <>
      {isLong ? null : list}
      <details className={classes.more}>
        <summary>{isLong ? say('auditFields', { count: changes.length }) : say('auditMore')}</summary>
        {isLong ? list : null}
        <code className="mono dim">{[model, record, what].filter((each) => each !== null).join(' ')}</code>
      </details>
    </>
  )
}

/** A new record begins with much that says nothing. */
function shownOf({ what, changes }: Entry): Change[] {
  const all = changesOf(changes)
  return what === 'create' ? all.filter(({ values }) => values === undefined || !isNothing(values[1])) : all
}

/** The record by its kind and name; one that is gone has no link. */
function About({ entry: { model, res_id: id, what }, words }: { entry: Entry; words: AuditWords }) {
  if (id === null) return words.kindOf(model ?? '')
  const title = words.titleOf(model ?? '', id)
  return what === 'unlink' ? title : <Link to={`/records/${model}/${id}`}>{title}</Link>
}

function By({ entry: { via, key } }: { entry: Entry }) {
  const say = useWords('settings')
  if (via !== 'key') return say('auditByPage')
  return LOCAL_KEY.test(key ?? '') ? say('auditByCommand') : say('auditByKey', { key: key ?? '' })
}

function Changes({ changes, entry, words }: { changes: readonly Change[]; entry: Entry; words: AuditWords }) {
  if (changes.length === 0) return null
  const fields = words.fieldsOf(entry.model ?? '')
  return (
    <dl className={classes.changes}>
      {changes.map(({ field: name, values }) => {
        const field = fields?.[PERSON_KNOWS[name] ?? name]
        return (
          <div key={name}>
            <dt>{field?.string ?? nameForPeople(name)}</dt>
            <dd>
              {fields === undefined ? (
                '…'
              ) : (
                <Values field={field} values={values} isNew={entry.what === 'create'} words={words} />
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

interface ValuesProps {
  field: FieldInfo | undefined
  values: Change['values']
  isNew: boolean
  words: AuditWords
}

function Values({ field, values, isNew, words }: ValuesProps) {
  const say = useWords('settings')
  const shown = (value: unknown) => <Value field={field} value={value} words={words} />
  if (values === undefined) return say(isNew ? 'auditSet' : 'auditWritten')
  const [before, after] = values
  if (isNew) return shown(after)
  return (
    <>
      {shown(before)} → {shown(after)}
    </>
  )
}

function Value({ field, value, words }: { field: FieldInfo | undefined; value: unknown; words: AuditWords }) {
  if (value === null || value === undefined || value === '') return '–'
  if (field?.relation !== undefined && typeof value === 'number') {
    return words.nameOf(field.relation, value)
  }
  // Lists of links and JSON are stored as text.
  if (field !== undefined && !STORED_AS_TEXT.includes(field.type)) return <FieldText field={field} value={value} />
  return <StoredAsText field={field} value={value} />
}

/** Links to many and JSON as they were written down, and texts marked up. */
function StoredAsText({ field, value }: { field: FieldInfo | undefined; value: unknown }) {
  if (field?.type === 'html') return plain(textOf(String(value)))
  const parsed = typeof value === 'string' ? parsedOf(value) : value
  const isText = field?.widget === 'list_filter' || (field?.relation !== undefined && Array.isArray(parsed))
  return field !== undefined && isText ? <FieldText field={field} value={parsed} /> : <JsonText value={parsed} />
}

/** What was JSON; any other text stays. */
function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
