import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call, type Domain } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { listQuery } from '../data/queries.ts'
import { EmptyState } from '../design/empty-state.tsx'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { PageHead } from '../design/page-head.tsx'
import { Button } from '../design/press.tsx'
import { plain } from '../words/formats.ts'
import type { Keys } from '../words/keys.ts'
import { programWords } from '../words/program-words.ts'
import { reasonOf } from '../words/server-words.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './deliveries.module.css'
import { ReplayAll } from './replay-all.tsx'

const FIELDS = ['kind', 'state', 'conversation', 'received_at', 'attempts', 'error'] as const
const SHOWN_MAX = 200
/** Those that one call of the service has worked on again. */
const REPLAYED_MAX = 1_000
/** Those that nobody works on any more, or that could not be worked on yet. */
const STUCK: Domain = [['state', 'in', ['dead', 'failed']]]

/** How far the work on one is. */
const STATES: Readonly<Record<string, Keys['deliveries']>> = {
  received: 'inboxReceived',
  done: 'inboxDone',
  ignored: 'inboxIgnored',
  failed: 'inboxFailed',
  dead: 'inboxDead',
}

/** What is stored until it has been worked on: what could not be, first. */
export function InboxPage() {
  const say = useWords('deliveries')
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const search = { fields: FIELDS, order: 'id desc', limit: SHOWN_MAX }
  const { data: stuck } = useQuery(listQuery('connect.inbox', { ...search, domain: STUCK }))
  const { data: others } = useQuery(
    listQuery('connect.inbox', { ...search, domain: [['state', 'not in', ['dead', 'failed']]] }),
  )
  const again = async (work: () => Promise<number>): Promise<void> => {
    setAsking(true)
    try {
      tellDone(say('queued', { count: await work() }))
      await queries.invalidateQueries({ queryKey: keysOf('connect.inbox') })
    } catch (error) {
      tellRefusal(error)
    } finally {
      setAsking(false)
    }
  }
  const rows = [...(stuck ?? []), ...(others ?? [])]
  return (
    <>
      <PageHead title={say('inbox')}>
        <Link to="/deliveries">{say('title')}</Link>
        {stuck === undefined || stuck.length === 0 ? null : (
          <ReplayAll
            model="connect.inbox"
            domain={STUCK}
            most={REPLAYED_MAX}
            isBusy={isAsking}
            onReplay={() => again(replayStuck)}
          />
        )}
      </PageHead>
      {stuck !== undefined && others !== undefined && rows.length === 0 ? <EmptyState title={say('noInbox')} /> : null}
      <ul className={classes.plainList} aria-label={say('inbox')}>
        {rows.map(({ id, kind, state, conversation, received_at: at, attempts, error }) => (
          <li key={id} className={classes.job}>
            <span className={classes.grows}>
              <Link to={`/records/connect.inbox/${id}`}>{programWords(kind ?? '')}</Link>{' '}
              <span className="mono dim">{plain(conversation ?? '')}</span>
              {error === null ? null : <div>{plain(reasonOf(error))}</div>}
            </span>
            <span>
              {stateOf(state, say)} {attempts === null || attempts === 0 ? null : `(${attempts})`}
            </span>
            <span className="dim">{at === null ? '' : formats.time(at)}</span>
            <Button variant="default" disabled={isAsking} onClick={() => again(() => replayOne(id))}>
              {say('replay')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

async function replayStuck(): Promise<number> {
  return (await call('connect.inbox', 'replay_matching', { domain: [...STUCK] })).replayed
}

async function replayOne(id: number): Promise<number> {
  await call('connect.inbox', 'replay', { ids: [id] })
  return 1
}

function stateOf(state: string | null, say: (key: Keys['deliveries']) => string): string {
  const words = STATES[state ?? '']
  return words === undefined ? (state ?? '') : say(words)
}
