import { isMoment, lineOf } from '../words/for-people.ts'
import { plain } from '../words/formats.ts'
import { labelOf } from '../words/labels.ts'
import { partName } from '../words/program-words.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './json-text.module.css'

/** Deeper, a value is shown as it is written. */
const DEPTH_MAX = 4
/** Rows of a list that are shown before somebody asks for all of them. */
const ROWS_MAX = 50

type Rows = readonly Readonly<Record<string, unknown>>[]

/** A value made of lists and named parts, as a person reads it: tables and pairs, and nothing of it is obeyed. */
export function JsonText({ value, depth = 0 }: { value: unknown; depth?: number }) {
  const say = useWords('records')
  if (depth >= DEPTH_MAX) return <>{lineOf(value, singleOf(say), partName)}</>
  if (isRows(value)) return <Table rows={value} depth={depth} />
  if (Array.isArray(value)) return <List values={value} depth={depth} />
  if (typeof value === 'object' && value !== null) return <Pairs value={value} depth={depth} />
  return <Single value={value} />
}

function Single({ value }: { value: unknown }) {
  const say = useWords('records')
  if (value === null || value === undefined || value === '') return <span className="dim">–</span>
  return <>{singleOf(say)(value as string | number | boolean)}</>
}

/** A part as a person reads it: yes or no, a time of their clock, a word of the service in their language. */
export function singleOf(say: (key: 'yes' | 'no') => string) {
  return (value: string | number | boolean): string => {
    if (typeof value === 'boolean') return say(value ? 'yes' : 'no')
    const text = String(value)
    return isMoment(text) ? formats.time(text) : plain(labelOf(text))
  }
}

function List({ values, depth }: { values: readonly unknown[]; depth: number }) {
  const say = useWords('records')
  if (values.length === 0) return <span className="dim">–</span>
  if (values.every((each) => typeof each !== 'object')) return <>{lineOf(values, singleOf(say), partName)}</>
  return (
    <ul className={classes.list}>
      {values.map((each, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one value, which is replaced as a whole
        <li key={at}>
          <JsonText value={each} depth={depth + 1} />
        </li>
      ))}
    </ul>
  )
}

function Pairs({ value, depth }: { value: object; depth: number }) {
  return (
    <dl className={classes.pairs}>
      {Object.entries(value).map(([name, part]) => (
        <div key={name}>
          <dt>{plain(partName(name))}</dt>
          <dd>
            <JsonText value={part} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Table({ rows, depth }: { rows: Rows; depth: number }) {
  const say = useWords('records')
  // Where a record is named, its kind and number say nothing more.
  const isNamed = rows.every(({ name }) => typeof name === 'string')
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (name) => !isNamed || (name !== 'model' && name !== 'id'),
  )
  const [first, rest] = [rows.slice(0, ROWS_MAX), rows.slice(ROWS_MAX)]
  const table = (shown: Rows) => (
    <table className={classes.table}>
      <thead>
        <tr>
          {names.map((name) => (
            <th key={name} scope="col">
              {plain(partName(name))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one value, which is replaced as a whole
          <tr key={at}>
            {names.map((name) => (
              <td key={name}>
                <JsonText value={row[name]} depth={depth + 1} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled has to be reached by keys
    <div className={classes.scroll} tabIndex={0}>
      {table(first)}
      {rest.length === 0 ? null : (
        <details>
          <summary>{say('moreRows', { count: rest.length })}</summary>
          {table(rest)}
        </details>
      )}
    </div>
  )
}

/** Several things with the same kinds of parts. */
function isRows(value: unknown): value is Rows {
  if (!Array.isArray(value) || value.length === 0) return false
  const rows: readonly unknown[] = value
  return rows.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row))
}
