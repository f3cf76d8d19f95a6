import { useState } from 'react'
import { GROUP, useIsInOne } from '../data/session.ts'
import { Initials } from '../design/initials.tsx'
import { Button } from '../design/press.tsx'
import { formats, useWords } from '../words/words.ts'
import { GROUP_WORDS, useGroups } from './group-words.ts'
import { InviteForm } from './invite-form.tsx'
import { LinkOnce, type NewLink } from './link-once.tsx'
import { type OpenLink, type Person, useOpenLinks, usePeople } from './people.ts'
import { PersonActions } from './person-actions.tsx'
import classes from './settings.module.css'

/** Who may sign in, who is invited, and what a manager does about it. */
export function PeoplePart() {
  const say = useWords('settings')
  const isManager = useIsInOne(GROUP.manager)
  const { data: people = [] } = usePeople()
  const { data: links } = useOpenLinks()
  const [isInviting, setInviting] = useState(false)
  const [link, setLink] = useState<NewLink>()
  return (
    <section className={classes.card} aria-label={say('people')}>
      <div className={classes.head}>
        <p className="dim">{say('peopleSays')}</p>
        {isManager ? <Button onClick={() => setInviting(true)}>{say('invite')}</Button> : null}
      </div>
      <ul className={classes.rows}>
        {people.map((person) => (
          <li key={person.id} className={classes.row} data-off={person.active === true ? undefined : true}>
            <Initials name={person.name} />
            <PersonWords person={person} link={links?.get(person.id)} />
            {isManager ? (
              <PersonActions person={person} hasLink={links?.has(person.id) === true} onLink={setLink} />
            ) : null}
          </li>
        ))}
      </ul>
      <InviteForm isOpen={isInviting} onClose={() => setInviting(false)} onLink={setLink} />
      <LinkOnce link={link} onClose={() => setLink(undefined)} />
    </section>
  )
}

function PersonWords({ person, link }: { person: Person; link: OpenLink | undefined }) {
  const say = useWords('settings')
  const { data: groups } = useGroups()
  const names = (groups ?? [])
    .filter(({ id }) => person.group_ids.includes(id))
    .map(({ external_id: key, name }) => (GROUP_WORDS[key] === undefined ? name : say(GROUP_WORDS[key].name)))
  const until =
    link === undefined
      ? undefined
      : say(link.kind === 'reset' ? 'resetUntil' : 'invitedUntil', { at: formats.time(link.expires_at) })
  return (
    <div className={classes.grow}>
      <strong>{person.name}</strong> <span className="dim">{person.login}</span>
      <div className="dim">
        {groups !== undefined && names.length === 0 ? say('noGroups') : names.join(', ')}
        {person.active === true ? '' : ` · ${say('inactive')}`}
      </div>
      {until === undefined ? null : <div>{until}</div>}
    </div>
  )
}
