import { useQuery } from '@tanstack/react-query'
import { searchRead } from '../data/client.ts'
import { listQuery } from '../data/queries.ts'
import { Player, Transcript } from '../lines/player.tsx'
import { formats, useWords } from '../words/words.ts'
import classes from './calls.module.css'

const FIELDS = ['duration', 'start_time', 'transcript', 'voiceai_transcript', 'recording_widget', 'source'] as const
const VOICEMAIL_FIELDS = ['duration', 'start_time'] as const
const RECORDINGS_MAX = 50

/** What was recorded in a call, to be heard and read, and what was left for nobody. */
export function CallRecordings({ id }: { id: number }) {
  const say = useWords('calls')
  const domain = [['call', '=', id]] as const
  const { data: recordings } = useQuery(
    listQuery('connect.recording', { domain, fields: FIELDS, order: 'id', limit: RECORDINGS_MAX }),
  )
  const { data: voicemails = [] } = useQuery({
    queryKey: ['connect.voicemail', 'of-call', id],
    queryFn: async () => {
      const legs = await searchRead('connect.channel', { domain, fields: ['sid'], limit: RECORDINGS_MAX })
      const sids = legs.map(({ sid }) => sid)
      return searchRead('connect.voicemail', {
        domain: [['call_sid', 'in', sids]],
        fields: VOICEMAIL_FIELDS,
        limit: RECORDINGS_MAX,
      })
    },
  })
  if (recordings === undefined) return null
  if (recordings.length === 0 && voicemails.length === 0)
    return <p className={classes.recording}>{say('noRecordings')}</p>
  return (
    <>
      {voicemails.map(({ id: voicemail, duration }) => (
        <article key={voicemail} className={classes.recording}>
          <h3>
            {say('voicemail')} {formats.duration(duration ?? 0)}
          </h3>
          <Player source={`/connect/voicemails/${voicemail}`} label={`${say('voicemail')} ${voicemail}`} />
        </article>
      ))}
      {recordings.map((recording) => {
        const said = recording.voiceai_transcript ?? recording.transcript
        return (
          <article key={recording.id} className={classes.recording}>
            <h3>
              {say('recording')} {formats.duration(recording.duration ?? 0)}
            </h3>
            {recording.recording_widget === null ? (
              <p className="dim">{say('noAudio')}</p>
            ) : (
              <Player source={`/connect/recording/${recording.id}`} label={`${say('recording')} ${recording.id}`} />
            )}
            {said === null ? null : <Transcript text={said} />}
          </article>
        )
      })}
    </>
  )
}
