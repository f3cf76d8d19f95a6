import type { FieldInfo } from '../data/queries.ts'
import { phone, plain } from '../words/formats.ts'
import { reader, useWords } from '../words/words.ts'
import { zoneName } from '../words/zones.ts'
import { closedHears } from './callers-hear.ts'
import { HeardText } from './callers-hear-note.tsx'
import { HOURS, type HoursChange, hoursChanges, isAlwaysOpen, isEverClosed, type OpenOn } from './hours-changes.ts'
import { NUMBER, useNumbers } from './numbers-of.ts'
import { answerOf } from './reach.ts'
import type { Values } from './record-values.ts'
import classes from './records.module.css'

/** What belongs to business hours, and the field that says to which. */
const OF_HOURS: Readonly<Record<string, string>> = {
  [HOURS]: 'id',
  'connect.telco.opening': 'business_hours',
  'connect.telco.holiday': 'business_hours',
}

interface Props {
  model: string
  fields: Readonly<Record<string, FieldInfo>>
  stored: Values
  /** With what is typed. */
  values: Values
  isChanged: boolean
}

/** Says of business hours what changes for callers, number by number, before it is saved; and where no number uses them, how one does. */
export function HoursNotice({ model, fields, stored, values, isChanged }: Props) {
  const field = OF_HOURS[model]
  const of = field === undefined ? undefined : values[field]
  const hours = Array.isArray(of) ? Number(of[0]) : of
  const isStored = typeof hours === 'number'
  const { data: numbers } = useNumbers([['business_hours', '=', hours]], isStored)
  if (field === undefined) return null
  if (!isStored || numbers?.length === 0) return model === HOURS ? <NoNumber isNew={!isStored} /> : null
  if (numbers === undefined || !isChanged) return null
  const changes = model === HOURS ? hoursChanges({ fields, before: stored, after: values }) : []
  // Another name changes nothing for callers.
  if (model === HOURS && changes.length === 0 && !isAlwaysOpen(stored, values)) return null
  return (
    <div className={classes.reach} role="status">
      <Changes changes={changes} />
      <OfNumbers numbers={numbers} closes={isEverClosed(model, values)} />
    </div>
  )
}

function NoNumber({ isNew }: { isNew: boolean }) {
  const say = useWords('records')
  return (
    <p className="dim" role="status">
      {say(isNew ? 'hoursOfNoneYet' : 'hoursOfNone')}{' '}
      <a href={`/records/${NUMBER}`} target="_blank" rel="noopener">
        {say('toNumbers')}
      </a>
    </p>
  )
}

function Changes({ changes }: { changes: readonly HoursChange[] }) {
  const say = useWords('records')
  const { language } = reader()
  const open = (on: OpenOn) => (typeof on === 'string' ? say(on) : on.hours)
  const text = (change: HoursChange) => {
    if (change.says === 'hoursDay')
      return say('hoursDay', { day: change.name, is: open(change.is), was: open(change.was) })
    if (change.says === 'hoursZone')
      return say('hoursZone', { is: zoneName(change.is, language), was: zoneName(change.was, language) })
    const { from, to, isYearly } = change
    const days = [from, ...(to === from ? [] : [to])].map((day) => dayText(day, isYearly)).join(' – ')
    const name = plain(change.name)
    return say(change.says, { name, days: isYearly ? say('everyYear', { days }) : days })
  }
  return changes.map((change) => <p key={JSON.stringify(change)}>{text(change)}</p>)
}

/** What callers of each number reach and hear then. */
function OfNumbers({ numbers, closes }: { numbers: readonly (Values & { id: number })[]; closes: boolean }) {
  const say = useWords('records')
  const shown = numbers.map((number) => phone(String(number.phone_number ?? '')))
  return (
    <>
      <p>
        <strong>{say('hoursOf', { numbers: shown.join(', ') })}</strong>
      </p>
      {numbers.map((number, at) => {
        const answer = answerOf(number)
        return (
          <p key={number.id}>
            <a href={`/records/${NUMBER}/${number.id}`} target="_blank" rel="noopener">
              {shown[at]}
            </a>
            {': '}
            {answer === undefined ? null : `${say('openReaches', { what: plain(answer.name) })} `}
            {closes ? <HeardText heard={closedHears(number)} /> : null}
          </p>
        )
      })}
    </>
  )
}

function dayText(day: string, isYearly: boolean): string {
  const at = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(at.getTime())
    ? day
    : at.toLocaleDateString(reader().language, {
        ...{ timeZone: 'UTC', day: 'numeric', month: 'long' },
        ...(isYearly ? {} : { year: 'numeric' as const }),
      })
}
