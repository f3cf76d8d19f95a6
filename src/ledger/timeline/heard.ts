import { type Static, Type } from 'typebox'
import { storedMs } from '../../time.ts'
import type { Known, RecordingRow } from './find-moments.ts'
import { conversationFrom } from './spoken-moments.ts'

/** What the platform of voice agents says of its recordings. */
const AGENT_SOURCE = 'voiceai'
const MS_PER_SECOND = 1_000

/** Audio of a call, where it lies on its line, or why there is none. */
export const Heard = Type.Object({
  ref: Type.Tuple([Type.String(), Type.Integer()]),
  address: Type.Union([Type.String(), Type.Null()], {
    description: 'Where it is played from; null: there is nothing to play.',
  }),
  from_ms: Type.Integer(),
  to_ms: Type.Integer(),
  why: Type.Union([Type.Literal('words_only'), Type.Literal('being_fetched'), Type.Null()], {
    description: 'Why there is no audio: the platform sends words alone, or the provider is still to be asked.',
  }),
})
export type Heard = Static<typeof Heard>

/** What there is to hear of a call, in the order in which it was said. */
export function heardIn({ recordings, voicemails }: Known, beganMs: number): Heard[] {
  const recorded = recordings.map((recording): Heard => {
    const fromMs = startOf(recording, beganMs)
    return {
      ref: ['connect.recording', recording.id],
      address: recording.has_audio ? `/connect/recording/${recording.id}` : null,
      ...spanOf(fromMs - beganMs, recording.duration),
      why: whyNot(recording),
    }
  })
  const left = voicemails.map(({ id, at, create_date: created, duration, has_audio: hasAudio }): Heard => {
    const fromMs = Math.max(0, storedMs(at ?? created) - beganMs)
    return {
      ref: ['connect.voicemail', id],
      address: hasAudio ? `/connect/voicemails/${id}` : null,
      ...spanOf(fromMs, duration),
      why: hasAudio ? null : 'being_fetched',
    }
  })
  return [...recorded, ...left].toSorted((one, other) => one.from_ms - other.from_ms)
}

function spanOf(fromMs: number, seconds: number): Pick<Heard, 'from_ms' | 'to_ms'> {
  return { from_ms: fromMs, to_ms: fromMs + seconds * MS_PER_SECOND }
}

function startOf(recording: RecordingRow, beganMs: number): number {
  if (recording.conversation_started_at !== null || recording.at === null) return conversationFrom(recording, beganMs)
  return Math.max(beganMs, storedMs(recording.at))
}

function whyNot({ has_audio: hasAudio, source, turns }: RecordingRow): Heard['why'] {
  if (hasAudio) return null
  return source === AGENT_SOURCE || turns !== null ? 'words_only' : 'being_fetched'
}
