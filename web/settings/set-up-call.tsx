import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call, searchRead } from '../data/client.ts'
import { useMe } from '../data/session.ts'
import { tellRefusal } from '../design/notices.tsx'
import { useWords } from '../words/words.ts'
import { useNumbers } from './set-up-number.tsx'
import classes from './settings.module.css'

/** The first call: by a telephone, or played; it ends on the page of that call. */
export function CallStep() {
  const say = useWords('settings')
  const { features } = useMe()
  const { data: numbers = [] } = useNumbers()
  const { data: newest } = useNewestCall()
  const number = numbers.find(({ destination }) => destination !== null)?.phone_number ?? undefined
  const [since, setSince] = useState<number>()
  // Whoever calls by telephone needs no button: the next call is theirs.
  const awaited = useEndedCall(since ?? newest)
  const navigate = useNavigate()
  useEffect(() => {
    if (awaited !== undefined) void navigate({ to: `/calls/${awaited}` })
  }, [awaited, navigate])
  const play = async (): Promise<void> => {
    if (number === undefined) return
    const played = await call('connect.settings', 'play_call', { number }).catch(tellRefusal)
    if (played) setSince(played.since)
  }
  return (
    <section className={classes.card}>
      <h2>{say('firstCall')}</h2>
      {number === undefined ? <p>{say('noNumberYet')}</p> : <p>{say('callNow', { number })}</p>}
      {features.emulated === true ? (
        <div className={classes.actions}>
          <Button disabled={number === undefined || since !== undefined} onClick={() => void play()}>
            {say('playCall')}
          </Button>
        </div>
      ) : null}
      <p role="status" className="dim">
        {since === undefined ? '' : say('callIsOn')}
      </p>
    </section>
  )
}

/** The newest call there was when the step was opened. */
function useNewestCall() {
  return useQuery({
    queryKey: ['set-up', 'newest call'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const [row] = await searchRead('connect.call', { fields: ['id'], order: 'id desc', limit: 1 })
      return row?.id ?? 0
    },
  })
}

/** The first call after that one, once it has ended. */
function useEndedCall(since: number | undefined): number | undefined {
  const { data } = useQuery({
    // Read anew whenever a call changes.
    queryKey: ['connect.call', 'ended after', { since }],
    enabled: since !== undefined,
    queryFn: async () => {
      const [row] = await searchRead('connect.call', {
        domain: [
          ['id', '>', since],
          ['outcome', '!=', 'in_progress'],
        ],
        fields: ['id'],
        order: 'id',
        limit: 1,
      })
      return row ?? null
    },
  })
  return data?.id
}
