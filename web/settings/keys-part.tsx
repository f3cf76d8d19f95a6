import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { unlink } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { listQuery } from '../data/queries.ts'
import { tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { formats, useWords } from '../words/words.ts'
import { Ask } from './ask.tsx'
import classes from './settings.module.css'

const KEYS = 'res.users.apikeys'

/** Every key of everybody: whose, when it was last used, and how it is ended. */
export function KeysPart() {
  const say = useWords('settings')
  const queries = useQueryClient()
  const [ending, setEnding] = useState<{ id: number; name: string }>()
  const { data: keys } = useQuery(
    listQuery(KEYS, { fields: ['name', 'user_id', 'expires_at', 'last_used'], order: 'id desc' }),
  )
  const end = async (id: number): Promise<void> => {
    await unlink(KEYS, [id]).catch(tellRefusal)
    setEnding(undefined)
    await queries.invalidateQueries({ queryKey: keysOf(KEYS) })
  }
  return (
    <section className={classes.card} aria-label={say('keys')}>
      <p className="dim">
        {say('keysSays')} <Link to="/me">{say('makeKey')} ▸</Link>
      </p>
      {keys?.length === 0 ? <p>{say('noKeys')}</p> : null}
      <ul className={classes.rows}>
        {(keys ?? []).map(({ id, name, user_id: user, expires_at: expires, last_used: used }) => (
          <li key={id} className={classes.row}>
            <div className={classes.grow}>
              <strong>{name}</strong> · {user?.[1]}
              <div className="dim">
                {used === null ? say('neverUsed') : say('lastUsed', { at: formats.time(used) })}
                {expires === null ? '' : ` · ${say('expires', { at: formats.time(expires) })}`}
              </div>
            </div>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={say('endKeyOf', { name })}
              onClick={() => setEnding({ id, name: name ?? '' })}
            >
              {say('endKey')}
            </Button>
          </li>
        ))}
      </ul>
      <Ask
        isOpen={ending !== undefined}
        question={say('endKeyAsk', { name: ending?.name ?? '' })}
        says={say('endKeySays')}
        verb={say('endKey')}
        onClose={() => setEnding(undefined)}
        onYes={() => ending && end(ending.id)}
      />
    </section>
  )
}
