import { call, searchRead } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import type { Methods } from '../data/models.gen.ts'

export type Timeline = Methods['connect.call']['timeline']['result']
export type Moment = Timeline['moments'][number]
export type Heard = Timeline['audio'][number]

/** What happened in a call; a change of the call, its legs, recordings or deliveries makes it old. */
export function timelineQuery(id: number) {
  return asks({
    queryKey: keyOf('connect.call', 'timeline', id),
    queryFn: () => call('connect.call', 'timeline', { ids: [id] }),
  })
}

const LEG_FIELDS = [
  ...(['caller_number', 'called_number', 'status', 'duration', 'recording_state'] as const),
  ...(['technical_direction', 'caller_user', 'called_user'] as const),
] as const
const LEGS_MAX = 100

/** Those legs of a call that one may read, the first one first; old when the call is, because a report of a leg is told as one of it. */
export function legsQuery(id: number) {
  return asks({
    queryKey: keyOf('connect.call', 'legs', id),
    queryFn: () =>
      searchRead('connect.channel', {
        domain: [['call', '=', id]],
        fields: LEG_FIELDS,
        order: 'id',
        limit: LEGS_MAX,
      }),
  })
}

/** Whether a call that goes on is being recorded, as the phone provider says: it begins by itself where the phone's owner is recorded. */
export function recordingStateQuery(id: number) {
  return asks({
    queryKey: keyOf('connect.call', 'recording-state', id),
    queryFn: () => call('connect.call', 'recording_state', { ids: [id] }),
    // Without an answer the page says what is stored.
    retry: false,
    throwOnError: false,
  })
}
