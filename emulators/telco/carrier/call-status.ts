/** Statuses of a leg as callbacks name them (docs/reference/providers.md#statuses). */
export type LegStatus =
  | 'queued'
  | 'initiated'
  | 'ringing'
  | 'in-progress'
  | 'completed'
  | 'busy'
  | 'no-answer'
  | 'failed'
  | 'canceled'

export type FinalStatus = 'completed' | 'busy' | 'no-answer' | 'failed' | 'canceled'

const FINAL: readonly string[] = ['completed', 'busy', 'no-answer', 'failed', 'canceled']

export function isFinal(status: LegStatus): status is FinalStatus {
  return FINAL.includes(status)
}

/** Names under which progress is subscribed to. */
export const PROGRESS_EVENTS = ['initiated', 'ringing', 'answered', 'completed'] as const
export type ProgressEvent = (typeof PROGRESS_EVENTS)[number]

/** The subscribed event that a status belongs to; a queued call reports nothing. */
export function eventOf(status: LegStatus): ProgressEvent | undefined {
  switch (status) {
    case 'queued':
      return undefined
    case 'initiated':
    case 'ringing':
      return status
    case 'in-progress':
      return 'answered'
    case 'completed':
    case 'busy':
    case 'no-answer':
    case 'failed':
    case 'canceled':
      return 'completed'
  }
}

/** Where the progress of a leg is reported. */
export interface Subscription {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly events: ReadonlySet<ProgressEvent>
}

/** The subscription that a document or a request asks for: without event names, only the end is reported. */
export function subscription(
  url: string | undefined,
  { events = '', method = 'POST' }: { events?: string | undefined; method?: string | undefined } = {},
): Subscription | undefined {
  if (url === undefined || url === '') return undefined
  const named = events.split(/\s+/).filter((event) => event !== '')
  const wanted = PROGRESS_EVENTS.filter((event) => named.includes(event))
  return {
    url,
    method: method === 'GET' ? 'GET' : 'POST',
    events: new Set(named.length === 0 ? (['completed'] as const) : wanted),
  }
}
