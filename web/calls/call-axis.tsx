import { useState } from 'react'
import type { Moment } from '../lines/call-queries.ts'
import { CallStrip } from '../lines/call-strip.tsx'
import type { Strip } from '../lines/strip-parts.ts'
import { duration } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './call.module.css'

const MS_PER_SECOND = 1_000
const STEP_MS = 100
const WHOLE = 100

/** The strip, large, as the axis of the call: what is under the pointer is marked everywhere, a click plays there. */
export function CallAxis({
  strip,
  moments,
  atMs,
  onSeek,
  onHover,
}: {
  strip: Strip
  moments: readonly Moment[]
  atMs: number
  onSeek: (ms: number) => void
  onHover: (ms: number | undefined) => void
}) {
  const say = useWords('calls')
  const [hoverMs, setHoverMs] = useState<number | undefined>(undefined)
  const hover = (ms: number | undefined) => {
    setHoverMs(ms)
    onHover(ms)
  }
  const place = (ms: number) => `${Math.min(WHOLE, (ms / strip.lengthMs) * WHOLE)}%`
  const spoken = duration(atMs / MS_PER_SECOND)
  return (
    <div className={classes.axis}>
      <CallStrip strip={strip} isLarge />
      {moments.filter(isTool).map((moment) => (
        <i
          key={`${moment.ms} ${moment.delivery ?? moment.sentence}`}
          className={classes.toolMark}
          style={{ insetInlineStart: place(moment.ms) }}
        />
      ))}
      <i className={classes.cursor} style={{ insetInlineStart: place(atMs) }} data-at={Math.round(atMs)} />
      {hoverMs === undefined ? null : (
        <i className={classes.hoverCursor} style={{ insetInlineStart: place(hoverMs) }}>
          {duration(hoverMs / MS_PER_SECOND)}
        </i>
      )}
      <input
        type="range"
        className={classes.slider}
        aria-label={say('place')}
        aria-valuetext={spoken}
        min={0}
        max={strip.lengthMs}
        step={STEP_MS}
        value={Math.min(atMs, strip.lengthMs)}
        onChange={({ currentTarget }) => onSeek(Number(currentTarget.value))}
        onPointerMove={({ currentTarget, clientX }) => {
          const { left, width } = currentTarget.getBoundingClientRect()
          hover(Math.max(0, Math.min(1, (clientX - left) / width)) * strip.lengthMs)
        }}
        onPointerLeave={() => hover(undefined)}
      />
    </div>
  )
}

function isTool({ lane }: Moment): boolean {
  return lane === 'tools'
}
