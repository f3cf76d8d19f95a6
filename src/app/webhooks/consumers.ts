import type { Consumer } from '../../deliveries/inbox/consume.ts'
import type { MediaStore } from '../../platform/media/media-store.ts'
import { AREAS } from '../areas.ts'

/** What works on each kind of stored delivery. */
export function consumersWith(media: Pick<MediaStore, 'store'>): Record<string, Consumer> {
  return Object.assign({}, ...AREAS.map(({ consumers }) => consumers?.({ media })))
}
