import { useQuery } from '@tanstack/react-query'
import { searchRead } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { CARDS } from './settings-cards.ts'

export interface Finding {
  check: string
  result: 'ok' | 'note' | 'wrong'
  sentence: string
  fix: string
  setting?: string
}

export interface CheckRun {
  id: number
  state: 'running' | 'done' | 'failed'
  started_at: string
  ended_at: string | null
  findings: Finding[] | null
}

const MODEL = 'connect.check_run'
const FIELDS = ['state', 'started_at', 'ended_at', 'findings'] as const
/** The one that is shown, one under way above it, and the one before. */
const RUNS_MAX = 5

/** The newest run, the newest that came to its end, and the one before that. */
export function useCheckRuns() {
  return useQuery(
    asks({
      queryKey: keyOf(MODEL, 'newest-checks'),
      queryFn: async () => {
        const rows = await searchRead(MODEL, { fields: FIELDS, order: 'id desc', limit: RUNS_MAX })
        const runs = rows as unknown as CheckRun[]
        const [last, before] = runs.filter(({ state }) => state === 'done')
        return { newest: runs[0], last, before }
      },
    }),
  )
}

const RANK = { wrong: 0, note: 1, ok: 2 } as const

/** What is wrong first. */
export function byResult(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((one, other) => RANK[one.result] - RANK[other.result])
}

/** What is wrong now and was not the last time, and the checks that nothing is wrong with any more. */
export function changesSince(
  now: readonly Finding[],
  before: readonly Finding[],
): { worse: Set<string>; mended: string[] } {
  const wrongIn = (findings: readonly Finding[]): Set<string> =>
    new Set(findings.filter(({ result }) => result === 'wrong').map(({ check }) => check))
  const [is, was] = [wrongIn(now), wrongIn(before)]
  const without = (these: Set<string>, those: Set<string>): string[] => [...these].filter((each) => !those.has(each))
  return { worse: new Set(without(is, was)), mended: without(was, is) }
}

interface Place {
  to: string
  search?: Record<string, string>
}

const REJECTED: Place = { to: '/deliveries', search: { verdict: 'rejected' } }
const INBOX: Place = { to: '/deliveries/inbox' }
const SYNC: Place = { to: '/settings/synchronise' }

/** Where a check is set right, when no setting is named. */
const PLACES: Readonly<Record<string, Place>> = {
  'dead deliveries': INBOX,
  'waiting deliveries': INBOX,
  'rejected deliveries': REJECTED,
  'waiting messages': { to: '/messages' },
  'forwarded headers': { to: '/settings/address' },
  'trusted proxy': { to: '/settings/address' },
  'telephony signature': REJECTED,
  'post-call signature': SYNC,
  'agent token': SYNC,
  voiceai: SYNC,
  telco: SYNC,
}

/** The page on which a finding can be set right; undefined where that is not done on a page. */
export function placeOf({ check, setting }: Finding): Place | undefined {
  if (setting === undefined) return PLACES[check]
  const names = [setting, `display_${setting}`]
  const part = Object.entries(CARDS).find(([, cards]) =>
    cards.some(({ fields }) => fields.some((field) => names.includes(field))),
  )
  return part === undefined ? PLACES[check] : { to: `/settings/${part[0]}` }
}
