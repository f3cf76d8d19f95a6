import { useQuery } from '@tanstack/react-query'
import type { CallRow } from './call-rows.ts'
import { CallStrip } from './call-strip.tsx'
import { gathered } from './gathered-legs.ts'
import { stripOf } from './strip-geometry.ts'

/** The strip of one call in a list. Legs of calls that are shown together are asked for together. */
export function CallStripOf({ call, isLarge = false }: { call: CallRow & { id: number }; isLarge?: boolean }) {
  const { data: legs = [] } = useQuery({
    queryKey: ['connect.channel', 'legs-of', call.id, call.status],
    queryFn: () => gathered(call.id),
  })
  return <CallStrip strip={stripOf(call, legs, Date.now())} isLarge={isLarge} />
}
