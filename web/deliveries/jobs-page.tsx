import { Group, Modal } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callByName } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { listQuery } from '../data/queries.ts'
import { EmptyState } from '../design/empty-state.tsx'
import { tellRefusal } from '../design/notices.tsx'
import { PageHead } from '../design/page-head.tsx'
import { Button } from '../design/press.tsx'
import { choiceOf, wordedFieldsQuery } from '../records/fields.ts'
import { plain } from '../words/formats.ts'
import { programWords } from '../words/program-words.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './deliveries.module.css'

const FIELDS = ['kind', 'state', 'attempts', 'attempts_max', 'error', 'due'] as const
const SHOWN_MAX = 200
const LOOK_MS = 5_000

/** What waits in the queue, and what could not be done. */
export function JobsPage() {
  const say = useWords('deliveries')
  const queries = useQueryClient()
  const { data: fields } = useQuery(wordedFieldsQuery('connect.job'))
  const [dropping, setDropping] = useState<{ id: number; kind: string } | undefined>()
  const { data: jobs } = useQuery({
    ...listQuery('connect.job', { fields: FIELDS, order: 'create_date desc', limit: SHOWN_MAX }),
    refetchInterval: LOOK_MS,
  })
  const act = async (method: string, id: number): Promise<void> => {
    await callByName('connect.job', method, { ids: [id] }).catch(tellRefusal)
    setDropping(undefined)
    await queries.invalidateQueries({ queryKey: keysOf('connect.job') })
  }
  return (
    <>
      <PageHead title={say('jobs')}>
        <Link to="/deliveries">{say('title')}</Link>
      </PageHead>
      {jobs?.length === 0 ? <EmptyState title={say('noJobs')} /> : null}
      <ul className={classes.plainList} aria-label={say('jobs')}>
        {jobs?.map(({ id, kind, state, attempts, attempts_max: most, error, due }) => (
          <li key={id} className={classes.job}>
            <span className={classes.grows}>
              <span>{programWords(kind ?? '')}</span>
              {error === null ? null : <div>{plain(error)}</div>}
            </span>
            <span className={classes.verdict} data-verdict={state}>
              {choiceOf(fields?.state, state)} {attempts}/{most}
            </span>
            <span className="dim">{due === null ? '' : `${say('due')} ${formats.time(due)}`}</span>
            <Button variant="default" disabled={state === 'active'} onClick={() => act('retry', id)}>
              {say('retry')}
            </Button>
            <Button
              variant="subtle"
              disabled={state === 'active'}
              onClick={() => setDropping({ id, kind: kind ?? '' })}
            >
              {say('drop')}
            </Button>
          </li>
        ))}
      </ul>
      <Modal
        opened={dropping !== undefined}
        onClose={() => setDropping(undefined)}
        title={say('dropJob')}
        closeButtonProps={{ 'aria-label': say('close') }}
      >
        <p>{say('dropDetail', { kind: programWords(dropping?.kind ?? '') })}</p>
        <Group>
          <Button variant="default" data-autofocus onClick={() => setDropping(undefined)}>
            {say('keep')}
          </Button>
          <Button onClick={() => dropping && act('drop', dropping.id)}>{say('drop')}</Button>
        </Group>
      </Modal>
    </>
  )
}
