import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { FieldInfo } from '../data/queries.ts'
import { choiceOf } from '../records/fields.ts'
import { linkedQuery } from '../records/links-picker.tsx'
import { type Values, wire } from '../records/record-values.ts'
import { nameOrId, plain } from '../words/formats.ts'
import { named, useWords } from '../words/words.ts'
import { languageName } from './agent-languages.ts'
import classes from './agents.module.css'
import type { AgentView } from './use-agent.ts'
import { countWords, shortened, wordDifference } from './word-difference.ts'

/** What the draft changes, field by field, by the words that come and go. */
export function Review({ agent: { fields, row }, vals }: { agent: AgentView; vals: Values }) {
  const say = useWords('agents')
  return (
    <section aria-label={say('difference')}>
      {Object.entries(vals).map(([name, value]) => {
        const field = fields[name]
        if (field === undefined) return null
        return (
          <div key={name} className={classes.change}>
            <h2>{field.string}</h2>
            <ValueDifference field={field} before={wire(row[name])} after={value} />
          </div>
        )
      })}
    </section>
  )
}

function ValueDifference({ field, before, after }: { field: FieldInfo; before: unknown; after: unknown }) {
  const say = useWords('agents')
  const { names, areComing } = useNames(field, [before, after])
  const text = (value: unknown) => textOf(field, value, { names, areComing, yes: say('yes'), no: say('no') })
  return <Difference before={text(before)} after={text(after)} />
}

/** Two texts as one, with what was added and removed marked. */
export function Difference({ before, after }: { before: string; after: string }) {
  const say = useWords('agents')
  const pieces = wordDifference(before, after)
  return (
    <>
      <p className="dim">{say('words', countWords(pieces))}</p>
      <p className={classes.difference}>
        {shortened(pieces).map((piece, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text keep their order
          <PieceText key={at} piece={piece} />
        ))}
      </p>
    </>
  )
}

function PieceText({ piece }: { piece: ReturnType<typeof shortened>[number] }) {
  if (piece === undefined) return <span className="dim"> … </span>
  const { kind, text } = piece
  if (kind === 'added') return <ins>{plain(text)}</ins>
  return kind === 'removed' ? <del>{plain(text)}</del> : <span>{plain(text)}</span>
}

interface Names {
  names: ReadonlyMap<number, string>
  areComing: boolean
}

interface Wording extends Names {
  yes: string
  no: string
}

/** A value as people read it. */
function textOf(field: FieldInfo, value: unknown, { names, areComing, yes, no }: Wording): string {
  const nameOf = (id: unknown) => nameOrId(names.get(Number(id)), id, areComing)
  if (field.type === 'boolean') return value === true ? yes : no
  if (value === null || value === undefined || value === '' || value === false) return ''
  if (field.type === 'selection') return choiceOf(field, String(value))
  if (field.type === 'many2one') return nameOf(value)
  if (field.type === 'many2many') return Array.isArray(value) ? value.map(nameOf).join('\n') : ''
  if (field.type === 'json' && typeof value === 'object') {
    return Object.entries(value)
      .map(([code, text]) => `${languageName(code)}: ${String(text)}`)
      .join('\n')
  }
  return String(value)
}

/** What linked records are called. */
function useNames({ relation, type }: FieldInfo, values: readonly unknown[]): Names {
  const isLink = type === 'many2one' || type === 'many2many'
  const ids = isLink ? [...new Set(values.flat().filter((id) => typeof id === 'number'))] : []
  const { data = [], isFetching } = useQuery({ ...linkedQuery(relation ?? '', ids), placeholderData: keepPreviousData })
  return { names: new Map(data.map(({ id, display_name: name }) => [id, named(name)])), areComing: isFetching }
}
