import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lookupQuery } from '../data/who-is.ts'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './records.module.css'

const NUMBERS = ['phone', 'mobile'] as const
/** Shorter is being typed still, or is an extension. */
const NUMBER_CHARS_MIN = 6

/** Who else has a number that is being entered on a contact, as far as one may see them. It can be saved all the same. */
export function SameNumbers({ id, edited }: { id: number | undefined; edited: Readonly<Record<string, unknown>> }) {
  const numbers = NUMBERS.map((name) => edited[name]).filter((number) => typeof number === 'string')
  const entered = [...new Set(numbers)].filter((number) => number.trim().length >= NUMBER_CHARS_MIN)
  return entered.map((number) => <SameNumber key={number} id={id} number={number} />)
}

function SameNumber({ id, number }: { id: number | undefined; number: string }) {
  const say = useWords('records')
  const { data } = useQuery(lookupQuery(number))
  const others = (data?.candidates ?? []).flatMap((each) =>
    each.id !== id && 'name' in each && typeof each.name === 'string' ? [{ id: each.id, name: each.name }] : [],
  )
  if (others.length === 0) return null
  return (
    <p role="status" className={classes.draft}>
      {say('numberOfOthers')}{' '}
      {others.map((other, at) => (
        <span key={other.id}>
          {at === 0 ? '' : ', '}
          <Link to={`/contacts/${other.id}`}>{plain(other.name)}</Link>
        </span>
      ))}
    </p>
  )
}
