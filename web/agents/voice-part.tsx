import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listQuery } from '../data/queries.ts'
import { plain } from '../words/formats.ts'
import { named, useWords } from '../words/words.ts'
import classes from './agents.module.css'
import type { AgentView } from './use-agent.ts'

const VOICES_MAX = 500

/** The voice, which one hears before one takes it. */
export function VoicePart({ agent }: { agent: AgentView }) {
  const say = useWords('agents')
  const { shown, problems, mayWrite, change, fields } = agent
  const { data: voices = [] } = useQuery(
    listQuery('connect.voiceai_voice', {
      fields: ['name', 'language', 'accent', 'gender', 'preview_audio_url'],
      order: 'name',
      limit: VOICES_MAX,
    }),
  )
  const id = idOf(shown.voice)
  const voice = voices.find((each) => each.id === id)
  const label = fields.voice?.string ?? ''
  const nameOf = ({ name, language, accent, gender }: (typeof voices)[number]) =>
    [named(name ?? ''), ...[language, accent, gender].map((each) => plain(each ?? ''))].filter(Boolean).join(' · ')
  return (
    <section className={classes.card} aria-label={label}>
      {mayWrite ? (
        <Select
          label={label}
          withAsterisk
          searchable
          error={problems.voice}
          data={voices.map((each) => ({ value: String(each.id), label: nameOf(each) || `#${each.id}` }))}
          value={id === undefined ? null : String(id)}
          onChange={(next) => next !== null && change('voice', Number(next))}
        />
      ) : (
        <>
          <div className={classes.label}>{label}</div>
          <p>{voice === undefined ? '–' : nameOf(voice)}</p>
        </>
      )}
      {voice?.preview_audio_url ? (
        // biome-ignore lint/a11y/useMediaCaption: a sample of a voice says nothing
        <audio
          key={voice.id}
          className={classes.sound}
          controls
          preload="none"
          src={voice.preview_audio_url}
          aria-label={say('hearVoice', { name: named(voice.name ?? '') })}
        />
      ) : null}
    </section>
  )
}

/** A link is read as a pair, and is an id in a draft. */
export function idOf(value: unknown): number | undefined {
  const id: unknown = Array.isArray(value) ? value[0] : value
  return typeof id === 'number' ? id : undefined
}
