import { useQuery } from '@tanstack/react-query'
import { call } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { useWords } from '../words/words.ts'
import { SETTINGS } from './settings-row.ts'

interface Carrier {
  provider: 'telco' | 'voiceai'
  what: string
  count: number
}

export interface Impact {
  /** What saving has pushed anew. */
  pushes: Carrier[]
  /** What carries our address. */
  carriers: Carrier[]
  calls_with_agents: number
}

/** What a change sets off, asked before it is saved; again every so often while somebody waits. */
export function useImpact(vals: Record<string, unknown>, { refetchMs }: { refetchMs?: number } = {}) {
  return useQuery(
    asks({
      queryKey: keyOf(SETTINGS, 'impact', vals),
      queryFn: async () => (await call(SETTINGS, 'impact', { vals })) as Impact,
      ...(refetchMs === undefined ? {} : { refetchInterval: refetchMs }),
      staleTime: 0,
    }),
  )
}

/** Calls that a synchronisation of the voice agents would disturb at this moment. */
export async function countCallsWithAgents(): Promise<number> {
  return (await call(SETTINGS, 'impact', { vals: {} })).calls_with_agents
}

/** Such as "27 numbers, 12 tools"; in some languages another case of the words stands after "in". */
export function useCarrierWords(place: 'after in' | 'object'): (carriers: readonly Carrier[]) => string {
  const say = useWords('settings')
  const WORDS = {
    numbers: 'numbers',
    applications: 'applications',
    domains: 'domains',
    tools: place === 'object' ? 'tools' : 'toolsIn',
    webhooks: 'webhooks',
  } as const
  return (carriers) =>
    carriers
      .flatMap(({ what, count }) => {
        const key = WORDS[what as keyof typeof WORDS]
        return key === undefined ? [] : [say(key, { count })]
      })
      .join(', ')
}
