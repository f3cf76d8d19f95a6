import { useId } from 'react'
import { duration } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './lines.module.css'
import type { Strip } from './strip-parts.ts'

const UNITS = 1_000
const TICK_UNITS = 12
const GAP_UNITS = 2
const MS_PER_SECOND = 1_000
const WORDS = {
  ringing: 'segRinging',
  menu: 'segMenu',
  agent: 'segAgent',
  person: 'segPerson',
  voicemail: 'segVoicemail',
} as const

/** A call as a line: one segment for each phase, a red tick where it broke. */
export function CallStrip({ strip, isLarge = false }: { strip: Strip; isLarge?: boolean }) {
  const say = useWords('lines')
  const hatch = useId()
  const { parts, breaks, lengthMs } = strip
  const name = stripWords(strip, say)
  const scale = (ms: number) => (ms / lengthMs) * UNITS
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
      {parts.map(({ kind, fromMs, toMs }) => (
        <rect
          key={`${kind}${fromMs}`}
          className={kind === 'ringing' ? undefined : classes[kind]}
          fill={kind === 'ringing' ? `url(#${hatch})` : undefined}
          x={scale(fromMs)}
          width={Math.max(scale(toMs - fromMs) - GAP_UNITS, GAP_UNITS)}
          y="0"
          height="8"
        />
      ))}
      {breaks.map((ms) => (
        <rect
          key={ms}
          className={classes.broken}
          x={Math.min(scale(ms), UNITS - TICK_UNITS)}
          width={TICK_UNITS}
          y="0"
          height="8"
        />
      ))}
    </svg>
  )
}

/** What the line shows, in words. */
export function stripWords({ parts, breaks }: Strip, say: ReturnType<typeof useWords<'lines'>>): string {
  if (parts.length === 0) return say('noStrip')
  const spoken = parts.map(({ kind, fromMs, toMs }) =>
    say(WORDS[kind], { time: duration((toMs - fromMs) / MS_PER_SECOND) }),
  )
  return [...spoken, ...(breaks.length === 0 ? [] : [say('broke')])].join(', ')
}
