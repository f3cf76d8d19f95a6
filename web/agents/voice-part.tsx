import { VoiceSelect } from '../records/voice-select.tsx'
import classes from './agents.module.css'
import type { AgentView } from './use-agent.ts'

/** The voice, which one hears before one takes it. */
export function VoicePart({ agent: { shown, problems, mayWrite, change, fields } }: { agent: AgentView }) {
  const label = fields.voice?.string ?? ''
  return (
    <section className={classes.card} aria-label={label}>
      <VoiceSelect
        label={label}
        isRequired
        value={idOf(shown.voice)}
        problem={problems.voice}
        isWritable={mayWrite}
        onChange={(voice) => change('voice', voice)}
      />
    </section>
  )
}

/** A link is read as a pair, and is an id in a draft. */
export function idOf(value: unknown): number | undefined {
  const id: unknown = Array.isArray(value) ? value[0] : value
  return typeof id === 'number' ? id : undefined
}
