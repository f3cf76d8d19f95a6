import { Button, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Domain, Row } from '../data/client.ts'
import { pagesQuery } from '../data/queries.ts'
import { formats, useWords } from '../words/words.ts'
import { changesOf } from './audit-changes.ts'
import classes from './settings.module.css'

const FIELDS = ['at', 'user', 'key', 'via', 'model', 'res_id', 'what', 'changes'] as const
type Entry = Row<'connect.audit', (typeof FIELDS)[number]> & { id: number }

/** Who changed what, newest first; the filter looks at the kind of record and at what was done. */
export function AuditPart() {
  const say = useWords('settings')
  const [text, setText] = useState('')
  const wanted = text.trim()
  const domain: Domain = wanted === '' ? [] : ['|', ['model', 'ilike', wanted], ['what', 'ilike', wanted]]
  const pages = useInfiniteQuery({ ...pagesQuery('connect.audit', { domain, fields: FIELDS }), throwOnError: true })
  const entries = pages.data?.pages.flat() ?? []
  return (
    <section className={classes.card} aria-label={say('audit')}>
      <p className="dim">{say('auditSays')}</p>
      <TextInput
        label={say('auditFilter')}
        placeholder="res.partner, write …"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {pages.isSuccess && entries.length === 0 ? <p>{say('noAudit')}</p> : null}
      <ul className={classes.rows}>
        {entries.map((entry) => (
          <AuditEntry key={entry.id} entry={entry} />
        ))}
      </ul>
      {pages.hasNextPage ? (
        <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {say('auditOlder')}
        </Button>
      ) : null}
    </section>
  )
}

function AuditEntry({ entry }: { entry: Entry }) {
  const say = useWords('settings')
  const { at, user, key, via, model, res_id: record, what, changes } = entry
  const by = via === 'key' ? say('auditByKey', { key: key ?? '' }) : say('auditByPage')
  return (
    <li className={classes.row}>
      <div className={classes.grow}>
        <strong>{user?.[1] ?? say('auditNobody')}</strong> · {what} ·{' '}
        {record === null ? (
          model
        ) : (
          <Link to={`/records/${model}/${record}`}>
            {model} {record}
          </Link>
        )}
        <div className="dim">
          <time dateTime={at === null ? undefined : formats.exact(at)}>{at === null ? '' : formats.time(at)}</time> ·{' '}
          {by}
        </div>
        {changesOf(changes).map(({ field, text }) => (
          <div key={field} className="dim">
            {field}: {text}
          </div>
        ))}
      </div>
    </li>
  )
}
