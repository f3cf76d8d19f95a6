import { useQuery } from '@tanstack/react-query'
import { asks, keyOf, SERVICE } from '../data/keys.ts'
import { lookupQuery } from '../data/who-is.ts'
import { clock } from '../words/formats.ts'
import { reader, useWords } from '../words/words.ts'
import { zoneCity } from '../words/zones.ts'

const LOOK_AGAIN_MS = 30_000

/** What time it is where somebody is, when that is another time than here. */
export function TimeThere({ number, zone }: { number: string | null; zone: string | null }) {
  const say = useWords('contacts')
  const { data } = useQuery({ ...lookupQuery(number ?? ''), enabled: number !== null && zone === null })
  const { data: now = Date.now() } = useQuery(
    asks({
      queryKey: keyOf(SERVICE, 'moment'),
      queryFn: () => Date.now(),
      refetchInterval: LOOK_AGAIN_MS,
    }),
  )
  const there = zone ?? data?.tz ?? null
  const here = reader()
  if (there === null) return null
  const timeIn = (zone: string) => clock(new Date(now), { ...here, zone })
  if (timeIn(there) === timeIn(here.zone)) return null
  return (
    <span className="dim number">
      {say('timeThere', { time: timeIn(there), city: zoneCity(there, here.language) })}
    </span>
  )
}
