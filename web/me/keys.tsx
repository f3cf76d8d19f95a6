import { TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { call, onSignedOut, unlink } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { listQuery } from '../data/queries.ts'
import { useMe } from '../data/session.ts'
import { Copyable } from '../design/copyable.tsx'
import { tellRefusal } from '../design/notices.tsx'
import { Button, Form } from '../design/press.tsx'
import { formats, useWords } from '../words/words.ts'
import classes from './me.module.css'

const SHOWN = 100

/** One's own keys of the API: each is shown once, when it is made. */
export function Keys() {
  const say = useWords('me')
  const { id: userId } = useMe()
  const queries = useQueryClient()
  const [made, setMade] = useState<string>()
  useEffect(() => onSignedOut(() => setMade(undefined)), [])
  const { data = [] } = useQuery(
    listQuery('res.users.apikeys', {
      domain: [['user_id', '=', userId]],
      fields: ['name', 'last_used', 'expires_at'],
      order: 'id desc',
      limit: SHOWN,
    }),
  )
  const refresh = () => queries.invalidateQueries({ queryKey: keysOf('res.users.apikeys') })
  const make = (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget
    const name = String(new FormData(form).get('name'))
    return call('res.users', 'api_key_create', { ids: [userId], name }).then((answer) => {
      form.reset()
      setMade((answer as { key: string }).key)
      return refresh()
    }, tellRefusal)
  }
  return (
    <>
      <ul className={classes.rows}>
        {data.map(({ id, name, last_used: used }) => (
          <li key={id} className={classes.row}>
            <div>
              <div className={classes.wrap}>{name}</div>
              <div className="dim">{used ? say('used', { at: formats.time(used) }) : say('neverUsed')}</div>
            </div>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={say('endKey', { name })}
              onClick={() => unlink('res.users.apikeys', [id]).then(refresh, tellRefusal)}
            >
              {say('end')}
            </Button>
          </li>
        ))}
      </ul>
      {made === undefined ? null : (
        <p role="status" className={classes.made}>
          {say('keyMade')} <Copyable text={made} label={say('copyKey')} />
        </p>
      )}
      <Form className={classes.inline} onSubmit={make}>
        <TextInput name="name" label={say('keyName')} maxLength={200} required withAsterisk={false} />
        <Button type="submit" variant="default">
          {say('makeKey')}
        </Button>
      </Form>
    </>
  )
}
