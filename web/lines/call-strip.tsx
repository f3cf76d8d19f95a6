import { useId } from 'react'
import { duration } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './lines.module.css'
import type { SegmentKind, Strip } from './strip-geometry.ts'

const UNITS = 1_000
const TICK_UNITS = 12
const MS_PER_SECOND = 1_000
const WORDS = { ringing: 'segRinging', agent: 'segAgent', person: 'segPerson', voicemail: 'segVoicemail' } as const

/** A call as a line: one segment for each phase, a red tick where it broke. */
export function CallStrip({ strip, isLarge = false }: { strip: Strip; isLarge?: boolean }) {
  const say = useWords('lines')
  const hatch = useId()
  const { segments, lengthMs, isBroken } = strip
  const scale = (ms: number) => (ms / Math.max(lengthMs, 1)) * UNITS
  const spoken = segments.map(({ kind, fromMs, toMs }) =>
    say(WORDS[kind], { time: duration((toMs - fromMs) / MS_PER_SECOND) }),
  )
  const name = segments.length === 0 ? say('noStrip') : [...spoken, ...(isBroken ? [say('broke')] : [])].join(', ')
  return (
    <svg
      className={isLarge ? `${classes.strip} ${classes.large}` : classes.strip}
      viewBox={`0 0 ${UNITS} 8`}
      preserveAspectRatio="none"
      role="img"
      aria-label={name}
    >
      <defs>
        <pattern id={hatch} width="16" height="8" patternUnits="userSpaceOnUse">
          <path d="M4 0V8" className={classes.hatch} strokeWidth="6" />
        </pattern>
      </defs>
      {segments.map(({ kind, fromMs, toMs }) => (
        <rect
          key={`${kind}${fromMs}`}
          className={classOf(kind)}
          fill={kind === 'ringing' ? `url(#${hatch})` : undefined}
          x={scale(fromMs)}
          width={Math.max(scale(toMs - fromMs) - 2, 2)}
          y="0"
          height="8"
        />
      ))}
      {isBroken ? <rect className={classes.broken} x={UNITS - TICK_UNITS} width={TICK_UNITS} y="0" height="8" /> : null}
    </svg>
  )
}

function classOf(kind: SegmentKind): string | undefined {
  return kind === 'ringing' ? undefined : classes[kind]
}
