import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { listQuery } from '../data/queries.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { formats, useWords } from '../words/words.ts'
import { browserName } from './browser-name.ts'
import classes from './me.module.css'

const SHOWN = 50

/** Where one is signed in, and the way out of each. */
export function Sessions() {
  const say = useWords('me')
  const queries = useQueryClient()
  const { data = [] } = useQuery(
    listQuery('res.users.session', {
      fields: ['agent', 'address', 'via', 'created_at', 'last_seen', 'is_current'],
      order: 'id desc',
      limit: SHOWN,
    }),
  )
  const ended = () => {
    void queries.invalidateQueries({ queryKey: keysOf('res.users.session') })
    tellDone(say('signedOut'))
  }
  const end = (id: number) => call('res.users.session', 'end', { ids: [id] }).then(ended, tellRefusal)
  const endOthers = () => call('res.users.session', 'end_others', {}).then(ended, tellRefusal)
  return (
    <>
      <ul className={classes.rows}>
        {data.map(({ id, agent, address, created_at: began, last_seen: seen, is_current: isCurrent }) => (
          <li key={id} className={classes.row}>
            <div>
              <div className={classes.wrap} title={agent ?? undefined}>
                {agent ? browserName(agent) : say('unknownBrowser')}
              </div>
              <div className="dim">
                {[
                  address,
                  began && say('since', { at: formats.time(began) }),
                  seen && say('seen', { at: formats.time(seen) }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </div>
            </div>
            {isCurrent ? (
              <span className="dim">{say('thisOne')}</span>
            ) : (
              <Button variant="default" size="compact-sm" onClick={() => end(id)}>
                {say('signOut')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {data.length > 1 ? (
        <Button variant="default" onClick={() => endOthers()}>
          {say('signOutElsewhere')}
        </Button>
      ) : null}
    </>
  )
}
