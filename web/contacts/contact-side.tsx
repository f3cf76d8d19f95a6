import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Link as RecordLink } from '../data/models.gen.ts'
import { GROUP, mayDo, useIsInOne, useMe } from '../data/session.ts'
import { isStaff, lookupQuery } from '../data/who-is.ts'
import { Copyable } from '../design/copyable.tsx'
import { tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { Chatter } from '../records/chatter.tsx'
import { doubtAbout } from '../records/doubtful.ts'
import { isWithheld, phone, plain } from '../words/formats.ts'
import { languageName } from '../words/languages.ts'
import { reader, useWords } from '../words/words.ts'
import { zoneName } from '../words/zones.ts'
import classes from './contact.module.css'
import { numberOf } from './contact-number.ts'
import { EraseButton } from './erase-button.tsx'
import { ExplainMatch } from './explain-match.tsx'
import { savePersonData, savePersonFile } from './person-file.ts'

interface Contact {
  id: number
  name: string | null
  phone: string | null
  mobile: string | null
  phone_normalized: string | null
  mobile_normalized: string | null
  email: string | null
  lang: string | null
  tz: string | null
  comment: string | null
  country_id: RecordLink | null
  is_staff: boolean | null
}

/** What is known of a contact, who else has the number, notes, and what administrators do with a person's data. */
export function ContactSide({ contact }: { contact: Contact }) {
  const say = useWords('contacts')
  const isAdmin = useIsInOne(GROUP.connectAdmin)
  const me = useMe()
  const queries = useQueryClient()
  const sayOfData = useWords('records')
  const { id } = contact
  const numbers = new Set([contact.phone_normalized, contact.mobile_normalized].filter((each) => each !== null))
  const [number = null] = numbers
  const { zone, language } = reader()
  const title = plain(contact.name ?? '')
  const exportAll = () =>
    savePersonFile(queries, {
      id,
      title,
      zone: say('timesIn', { zone: zoneName(zone, language) }),
      manner: { zone, language, yes: sayOfData('yes'), no: sayOfData('no') },
    })
  const isNoEmail = doubtAbout('res.partner', { name: 'email' }, contact.email) !== undefined
  const facts = [
    contact.lang && languageName(contact.lang, language),
    contact.country_id?.[1],
    contact.tz && zoneName(contact.tz, language),
  ].filter((fact) => fact)
  return (
    <aside className={classes.side}>
      <ul className={classes.facts}>
        <NumberFact number={numberOf(contact, 'phone')} label={say('phone')} />
        <NumberFact number={numberOf(contact, 'mobile')} label={say('mobile')} />
        {contact.email ? (
          <li>
            {plain(contact.email)} {isNoEmail ? <span className="dim">{sayOfData('noEmail')}</span> : null}
          </li>
        ) : null}
        {facts.map((fact) => (
          <li key={fact}>{plain(fact ?? '')}</li>
        ))}
      </ul>
      {contact.comment === null ? null : <p className={classes.comment}>{contact.comment}</p>}
      {[...numbers].map((each) => (
        <SameNumber key={each} contact={contact} number={each} />
      ))}
      {number === null ? null : <ExplainMatch number={number} />}
      {mayDo(me, 'res.partner', 'w') ? <Link to={`/contacts/${id}/edit`}>{say('edit')}</Link> : null}
      <Chatter model="res.partner" id={id} mayPost={mayDo(me, 'res.partner', 'w')} />
      {isAdmin ? (
        <div className={classes.danger}>
          <Button variant="subtle" onClick={() => exportAll().catch(tellRefusal)}>
            {say('exportAll')}
          </Button>
          <Button variant="subtle" onClick={() => savePersonData({ id, title }).catch(tellRefusal)}>
            {say('exportData')}
          </Button>
          <EraseButton id={id} name={contact.name ?? ''} />
        </div>
      ) : null}
    </aside>
  )
}

function NumberFact({ number, label }: { number: string; label: string }) {
  if (number === '') return null
  return (
    <li>
      {isWithheld(number) ? phone(number) : <Copyable text={number} shown={phone(number)} label={label} />}{' '}
      <span className="dim">{label}</span>
    </li>
  )
}

function SameNumber({ contact, number }: { contact: Contact; number: string }) {
  const { id } = contact
  const say = useWords('contacts')
  const me = useMe()
  const isAdmin = useIsInOne(GROUP.connectAdmin)
  // Into the contact of a colleague only an administrator merges.
  const mayMerge = mayDo(me, 'res.partner', 'w') && (isAdmin || contact.is_staff !== true)
  const { data } = useQuery(lookupQuery(number))
  const others = (data?.candidates ?? []).filter((each) => each.id !== id && !isStaff(each))
  if (others.length === 0) return null
  return (
    <p>
      {say('sameNumber')}{' '}
      {others.map((other, at) => (
        <span key={other.id}>
          {at === 0 ? '' : ', '}
          <Link to={`/contacts/${other.id}`}>{nameOf(other)}</Link>
        </span>
      ))}{' '}
      {mayMerge ? (
        <Link to="/contacts/duplicates" search={{ keep: id, other: others[0]?.id } as never}>
          {say('merge')} ▸
        </Link>
      ) : null}
    </p>
  )
}

/** What a contact that was found is called. */
function nameOf(other: { id: number; name?: unknown }): string {
  return typeof other.name === 'string' ? plain(other.name) : `#${other.id}`
}
