import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call, type Row, searchCount, searchRead } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'

/** The steps of the set-up, in their order. */
export const SET_UP_STEPS = ['you', 'company', 'address', 'phone', 'agents', 'sync', 'number', 'call'] as const
export type SetUpStep = (typeof SET_UP_STEPS)[number]
/** `without`: left out, as voice agents may be: anyone who went on to synchronise the telephony has left them out. */
export type SetUpState = Readonly<Record<SetUpStep, 'done' | 'open' | 'without'>>

const FIELDS = [
  'company_name',
  'country_id',
  'tz',
  'api_url',
  'account_sid',
  'telco_balance',
  'voiceai_enabled',
  'display_voiceai_api_key',
] as const

/** How the summary of a call begins that `connect simulate call --record` made: no telephone was involved. */
const SIMULATED = 'Simulated by connect simulate call'

/** So long an answer is good for everybody else who asks; what is set anew has another address, so another question. */
const ADDRESS_STALE_MS = 10_000

/** Which steps have proved themselves; for administrators. */
export function useSetUp({ isEnabled = true } = {}) {
  return useQuery(
    asks({
      queryKey: keyOf('connect.settings', 'set-up'),
      queryFn: ({ client }) => lookAtSetUp(client),
      enabled: isEnabled,
      staleTime: 0,
    }),
  )
}

/** Whether nothing is left to do. */
export function isWhole(state: SetUpState): boolean {
  return SET_UP_STEPS.every((step) => state[step] !== 'open')
}

async function lookAtSetUp(queries: QueryClient): Promise<SetUpState> {
  const [settings] = await searchRead('connect.settings', { fields: FIELDS, limit: 1 })
  if (settings === undefined) throw new Error('there are no settings')
  const [address, runs, [newest], numbers, calls] = await Promise.all([
    settings.api_url === null ? false : reaches(queries, settings.api_url),
    searchRead('connect.sync_run', {
      domain: [['state', '=', 'done']],
      fields: ['area', 'kind'],
      order: 'id desc',
      limit: 50,
    }),
    searchRead('connect.sync_run', {
      domain: [
        ['area', '=', 'voiceai'],
        ['state', 'in', ['done', 'failed']],
      ],
      fields: ['state'],
      order: 'id desc',
      limit: 1,
    }),
    searchCount('connect.telco.number', {
      domain: [
        ['destination', '!=', null],
        ['reaches_no_one', '=', false],
      ],
      limit: 1,
    }),
    searchCount('connect.call', { domain: [['summary', 'not ilike', SIMULATED]], limit: 1 }),
  ])
  return stateOf({ settings, reaches: address, runs, newest, numbers, calls })
}

interface Proofs {
  settings: Row<'connect.settings', (typeof FIELDS)[number]>
  /** Whether the public address leads here. */
  reaches: boolean
  /** Those that came to a good end. */
  runs: readonly { area: string | null; kind: string | null }[]
  /** The newest run of the voice agents. */
  newest: { state: string | null } | undefined
  /** Numbers whose callers reach somebody, and calls that were. */
  numbers: number
  calls: number
}

/** Which steps the proofs are enough for; pure. */
export function stateOf({ settings, reaches: isReached, runs, newest, numbers, calls }: Proofs): SetUpState {
  const hasRun = (area: string, kind?: string) =>
    runs.some((run) => run.area === area && (kind === undefined || run.kind === kind))
  const hasKey = settings.display_voiceai_api_key !== null
  const hasAgents = hasKey && settings.voiceai_enabled === true
  const is = (isDone: unknown) => (isDone ? 'done' : 'open')
  return {
    you: 'done',
    company: is(settings.company_name && settings.country_id && settings.tz),
    address: is(isReached),
    // Anyone who synchronised with the account has heard from it, whether they asked for what is left in it or not.
    phone: is(settings.account_sid && (settings.telco_balance || hasRun('telco', 'sync'))),
    agents: hasKey || !hasRun('telco', 'sync') ? is(hasAgents && platformAnswered(newest)) : 'without',
    sync: is(hasRun('telco', 'sync') && (!hasAgents || hasRun('voiceai', 'sync'))),
    number: is(numbers > 0),
    call: is(calls > 0),
  }
}

/** Whether the platform answered when it was last asked. */
function platformAnswered(newest: { state: string | null } | undefined): boolean {
  return newest?.state === 'done'
}

/** Whether a public address reaches the service: whatever on a page wants to know, it is asked once for all of it. */
export function addressQuery(address: string | null) {
  return asks({
    queryKey: keyOf('connect.settings', 'address', address),
    queryFn: () => call('connect.settings', 'check_address', {}),
    staleTime: ADDRESS_STALE_MS,
  })
}

async function reaches(queries: QueryClient, address: string): Promise<boolean> {
  return (await queries.fetchQuery(addressQuery(address))).reaches
}
