import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { searchRead } from '../data/client.ts'
import { useWords } from '../words/words.ts'
import { GROUP_WORDS, useGroups } from './group-words.ts'
import classes from './settings.module.css'

/** Each group with what it is for, and who is in it. */
export function GroupsPart() {
  const say = useWords('settings')
  const { data: groups = [] } = useGroups()
  const { data: users = [] } = useQuery({
    queryKey: ['res.users', 'list', { of: 'groups' }],
    queryFn: () => searchRead('res.users', { domain: [['active', '=', true]], fields: ['name', 'group_ids'] }),
  })
  return (
    <section className={classes.card} aria-label={say('groups')}>
      <p className="dim">{say('groupsSays')}</p>
      <ul className={classes.rows}>
        {groups.map(({ id, external_id: key, name }) => {
          const words = GROUP_WORDS[key]
          const members = users.filter(({ group_ids: ids }) => (ids as unknown as number[]).includes(id))
          return (
            <li key={id} className={classes.row}>
              <div className={classes.grow}>
                <Link to={`/records/res.groups/${id}`}>{words === undefined ? name : say(words.name)}</Link>
                {words === undefined ? null : <div>{say(words.says)}</div>}
                <div className="dim">{members.map((each) => each.name).join(', ')}</div>
              </div>
              <span className="number">{say('members', { count: members.length })}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
