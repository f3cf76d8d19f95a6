import { readInstant } from '../words/formats.ts'
import { CallStrip } from './call-strip.tsx'
import { readStrip, type Strip } from './strip-parts.ts'

export interface StripCall {
  strip: unknown
  started_at: string | null
}

/** The strip of a call as it is stored; that of a live one reaches to now. */
export function stripOf({ strip, started_at: started }: StripCall, now = Date.now()): Strip {
  return readStrip(strip, started === null ? 0 : Math.max(0, now - readInstant(started).getTime()))
}

/** The strip of one call in a list. */
export function CallStripOf({ call, isLarge = false }: { call: StripCall; isLarge?: boolean }) {
  return <CallStrip strip={stripOf(call)} isLarge={isLarge} />
}
