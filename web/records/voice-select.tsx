import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listQuery } from '../data/queries.ts'
import { plain } from '../words/formats.ts'
import { named, reader, useWords } from '../words/words.ts'
import classes from './records.module.css'
import { voiceTraits } from './voice-words.ts'

const VOICES_MAX = 500

interface Props {
  label: string
  value: number | undefined
  problem?: string | undefined
  /** Said in the place of a voice that nobody has chosen. */
  placeholder?: string
  isWritable?: boolean
  isRequired?: boolean
  onChange: (voice: number) => void
}

/** A voice, which one hears before one takes it. */
export function VoiceSelect({
  label,
  value,
  problem,
  placeholder,
  isWritable = true,
  isRequired = false,
  onChange,
}: Props) {
  const say = useWords('records')
  const { data: voices = [] } = useQuery(
    listQuery('connect.voiceai_voice', {
      fields: ['name', 'language', 'accent', 'gender', 'preview_audio_url'],
      order: 'name',
      limit: VOICES_MAX,
    }),
  )
  const voice = voices.find((each) => each.id === value)
  const nameOf = (voice: (typeof voices)[number]) =>
    [
      named(voice.name ?? ''),
      ...voiceTraits(voice, { say, reader: reader().language }).map((each) => capital(plain(each))),
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <div className={classes.voice}>
      {isWritable ? (
        <Select
          label={label}
          withAsterisk={isRequired}
          searchable
          placeholder={placeholder ?? say('choose')}
          error={problem}
          data={voices.map((each) => ({ value: String(each.id), label: nameOf(each) || `#${each.id}` }))}
          value={value === undefined ? null : String(value)}
          onChange={(next) => next !== null && onChange(Number(next))}
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
          className={classes.player}
          controls
          preload="none"
          src={voice.preview_audio_url}
          aria-label={say('hearVoice', { name: named(voice.name ?? '') })}
        />
      ) : null}
    </div>
  )
}

/** ElevenLabs writes `british`. */
function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1)
}
