import { useState } from 'react'
import { CallStrip } from './call-strip.tsx'
import { type StripCall, stripOf } from './call-strip-of.tsx'
import classes from './lines.module.css'

/** The line is as long as the call will be at the next of these, so it grows and is drawn anew only then. */
const STEPS_SECONDS = [15, 30, 60, 120, 300, 600, 1_200, 3_600, 7_200, 14_400, 28_800, 86_400] as const
const SEVENTH = 7

/**
 * The strip of a call that goes on: it grows to the right by a transform once a second, which moves nothing else on the
 * page. Its parts are drawn anew when the call changes, or when it has grown by a seventh.
 */
export function LiveStrip({ call, seconds }: { call: StripCall; seconds: number }) {
  const drawnFor = `${JSON.stringify(call.strip)} ${seventhOf(seconds)}`
  const [drawn, setDrawn] = useState({ drawnFor, seconds, strip: stripOf(call) })
  if (drawn.drawnFor !== drawnFor) setDrawn({ drawnFor, seconds, strip: stripOf(call) })
  const room = roomFor(seconds)
  const share = Math.min(1, seconds / room)
  return (
    <span className={classes.liveRoom}>
      <span className={classes.liveGrown} style={{ transform: `scaleX(${share})` }}>
        <CallStrip strip={drawn.strip} />
      </span>
    </span>
  )
}

function roomFor(seconds: number): number {
  return STEPS_SECONDS.find((each) => each > seconds) ?? seconds
}

/** How often the call has grown by a seventh since it began. */
function seventhOf(seconds: number): number {
  return Math.floor(Math.log(Math.max(1, seconds)) / Math.log(1 + 1 / SEVENTH))
}
