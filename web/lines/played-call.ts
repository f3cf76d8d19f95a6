import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call, searchRead } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { tellRefusal } from '../design/notices.tsx'

/**
 * Has the emulator of the phone provider call one of our numbers, and goes to the page of that call once it has ended; where
 * any call will do, to the first one after `awaited`.
 */
export function usePlayedCall(awaited?: number): { isOn: boolean; play(number: string): Promise<void> } {
  const [since, setSince] = useState<number>()
  const ended = useEndedCall(since ?? awaited)
  const navigate = useNavigate()
  useEffect(() => {
    if (ended !== undefined) void navigate({ to: `/calls/${ended}` })
  }, [ended, navigate])
  const play = async (number: string): Promise<void> => {
    const played = await call('connect.settings', 'play_call', { number }).catch(tellRefusal)
    if (played) setSince(played.since)
  }
  return { isOn: since !== undefined && ended === undefined, play }
}

/** The first call after that one, once it has ended. */
function useEndedCall(since: number | undefined): number | undefined {
  const { data } = useQuery(
    asks({
      // Read anew whenever a call changes.
      queryKey: keyOf('connect.call', 'ended-after', { since }),
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
    }),
  )
  return data?.id
}
