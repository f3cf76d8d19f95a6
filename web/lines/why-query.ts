import { call } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import type { Methods } from '../data/models.gen.ts'

export type Why = Methods['connect.call']['explain']['result']
export type Fix = Why['fixes'][number]

/** Why a call ended as it did; old when its timeline is. */
export function whyQuery(id: number) {
  return asks({
    queryKey: keyOf('connect.call', 'explain', id),
    queryFn: () => call('connect.call', 'explain', { ids: [id] }),
  })
}
