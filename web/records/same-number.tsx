import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lookupQuery } from '../data/who-is.ts'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './records.module.css'

const CONTACT = 'res.partner'
const NUMBERS = ['phone', 'mobile']
/** Shorter is being typed still, or is an extension. */
const NUMBER_CHARS_MIN = 6

interface Props {
  model: string
  /** Of the contact; a new one has none. */
  id: unknown
  /** The name of the field, and what is in it. */
  name: string
  value: unknown
}

/** Below a number of a contact, as it is typed and once it is saved, who else has it, as far as one may see them. It can be saved all the same. */
export function NumberOfOthers({ model, id, name, value }: Props) {
  if (model !== CONTACT || !NUMBERS.includes(name) || typeof value !== 'string') return null
  return value.trim().length < NUMBER_CHARS_MIN ? null : <SameNumber id={id} number={value} />
}

function SameNumber({ id, number }: { id: unknown; number: string }) {
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
