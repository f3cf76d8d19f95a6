import type { Env } from '../../platform/access/env.ts'
import { escapeHtml } from '../../platform/chatter/text-to-html.ts'
import type { Row } from '../../platform/model/model.ts'

/** The columns that say where the audio of a recording is. */
interface RecordingAudio {
  id: number
  media_url?: unknown
  media_ref?: unknown
}

/**
 * A player for audio at a web address or at a path of ours; null for anything else, which a page must not run.
 * A browser reads `\` as `/`, so that `/\host` would be another host.
 */
export function audioPlayer(source: unknown): string | null {
  if (typeof source !== 'string' || !/^(?:https?:\/\/|\/(?![/\\]))[^\s\\]+$/i.test(source)) return null
  return `<audio controls preload="none" src="${escapeHtml(source)}"></audio>`
}

/** A player of a recording: our own copy or what we pass on, or the provider's address where settings say so. */
export function recordingPlayer(env: Env, { id, media_url: url, media_ref: reference }: RecordingAudio): string | null {
  const isKept = typeof reference === 'string'
  if (!isKept && typeof url !== 'string') return null
  return audioPlayer(isKept || env.settings.proxiesRecordings ? `/connect/recording/${id}` : url)
}

/** A player of the voicemail that a call has. */
export function voicemailPlayer(env: Env, { id, voicemail_url: url }: { id: number; voicemail_url?: unknown }) {
  if (typeof url !== 'string' || url === '') return null
  return audioPlayer(env.settings.proxiesRecordings ? `/connect/voicemail/${id}` : url)
}

/** A player of one voicemail, whether it is the newest of its call or not. */
export function recordedVoicemailPlayer(env: Env, { id, url, media_ref: reference }: Row): string | null {
  if (typeof reference !== 'string' && url === '') return null
  const isPassedOn = typeof reference === 'string' || env.settings.proxiesRecordings
  return audioPlayer(isPassedOn ? `/connect/voicemails/${id}` : url)
}

/** A small sign for lists; null when there is nothing to tell. */
export function icon(isShown: boolean, sign: string, title: string): string | null {
  return isShown ? `<span role="img" title="${title}" aria-label="${title}">${sign}</span>` : null
}
