import { Link } from '@tanstack/react-router'
import { GROUP } from '../data/session.ts'
import { useWords } from '../words/words.ts'
import { AgentCallsSwitch } from './agent-calls.tsx'
import { GROUP_WORDS, useGroups } from './group-words.ts'
import { usePeople } from './people.ts'
import classes from './settings.module.css'

/** The right itself, who reads every call anyway, and groups in which nobody works here. */
const NEVER: readonly string[] = [
  ...[GROUP.agentCalls, GROUP.connectAdmin],
  ...['base.group_public', 'connect.group_webhook'],
]

/** Each group with what it is for, who is in it, and whether they read the calls of agents. */
export function GroupsPart() {
  const say = useWords('settings')
  const { data: groups = [] } = useGroups()
  const { data: people = [] } = usePeople()
  const right = groups.find(({ external_id: key }) => key === GROUP.agentCalls)?.id
  return (
    <section className={classes.card} aria-label={say('groups')}>
      <p className="dim">{say('groupsSays')}</p>
      <ul className={classes.rows}>
        {groups.map(({ id, external_id: key, name, implied_ids: implied }) => {
          const words = GROUP_WORDS[key]
          const title = words === undefined ? name : say(words.name)
          const members = people.filter(({ active, group_ids: ids }) => active === true && ids.includes(id))
          return (
            <li key={id} className={classes.row}>
              <div className={classes.grow}>
                <Link to={`/records/res.groups/${id}`}>{title}</Link>
                {words === undefined ? null : <div>{say(words.says)}</div>}
                <div className="dim">{members.map((each) => each.name).join(', ')}</div>
                {right === undefined || NEVER.includes(key) ? null : (
                  <AgentCallsSwitch group={{ id, title }} isGiven={implied.includes(right)} />
                )}
              </div>
              <span className="number">{say('members', { count: members.length })}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
