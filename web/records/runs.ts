import { useQuery } from '@tanstack/react-query'
import { searchRead } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'

export type Area = 'telco' | 'voiceai'

export interface SyncRun {
  id: number
  state: 'queued' | 'running' | 'done' | 'failed'
  kind: string
  steps: { name: string; state: 'waiting' | 'running' | 'done' | 'failed'; done: number; total: number | null }[] | null
  errors: { step: string; model?: string; id?: number; name?: string; message: string }[] | null
  summary: string | null
  ended_at: string | null
  can_cancel: boolean | null
}

const FIELDS = ['state', 'kind', 'steps', 'errors', 'summary', 'ended_at', 'can_cancel'] as const

export function isUnderWay(run: SyncRun | null | undefined): boolean {
  return run?.state === 'queued' || run?.state === 'running'
}

/** One run, such as the one that a button began. */
export function useRun(id: number) {
  return useQuery(
    asks({
      queryKey: keyOf('connect.sync_run', 'begun-run', id),
      queryFn: async () => {
        const [run] = await searchRead('connect.sync_run', { domain: [['id', '=', id]], fields: FIELDS })
        return (run ?? null) as SyncRun | null
      },
    }),
  )
}

/** The newest run with a provider; the service says of every step that it makes. */
export function useNewestRun(area: Area) {
  return useQuery(
    asks({
      queryKey: keyOf('connect.sync_run', 'newest-run', area),
      queryFn: async () => {
        const [run] = await searchRead('connect.sync_run', {
          domain: [['area', '=', area]],
          fields: FIELDS,
          order: 'id desc',
          limit: 1,
        })
        return (run ?? null) as SyncRun | null
      },
    }),
  )
}
