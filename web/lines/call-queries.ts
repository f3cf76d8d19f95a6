import { call } from '../data/client.ts'
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
