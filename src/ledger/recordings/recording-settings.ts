import { boolean, integer, selection, text } from '../../platform/model/fields.ts'
import { isNotOff, type ReadOf, setting } from '../../platform/settings/setting.ts'

const KEEP_DAYS_MAX = 36_500

/** What administrators decide about recordings. */
export const recordingSettings = {
  proxy_recordings: setting('proxiesRecordings', boolean('Play recordings through Connect', { default: true }), {
    read: isNotOff,
  }),
  store_recordings: setting(
    'storesRecordings',
    boolean('Keep a copy of recordings', {
      help: 'Keeps the audio here even after Twilio deletes it.',
    }),
  ),
  audio_keep_days: setting(
    'audioKeepDays',
    integer('Keep audio (days)', {
      min: 1,
      max: KEEP_DAYS_MAX,
      help: 'Older audio is deleted here and at Twilio. Leave empty to keep it forever.',
    }),
  ),
  transcript_keep_days: setting(
    'transcriptKeepDays',
    integer('Keep transcripts (days)', {
      min: 1,
      max: KEEP_DAYS_MAX,
      help: 'Older transcripts are deleted; summaries stay. Leave empty to keep them forever.',
    }),
  ),
  announce_recordings: setting(
    'announcesRecordings',
    boolean('Tell callers about recording', {
      help: 'Callers hear a notice before a phone that records rings.',
    }),
  ),
}

/** What administrators decide about transcripts and summaries of calls. */
export const transcriptSettings = {
  transcript_calls: setting('transcribesCalls', boolean('Transcribe calls', { default: false })),
  transcript_provider: selection('Transcribed by', ['core', 'voiceai'], { default: 'core' }),
  summary_prompt: text('Summary prompt', { required: true, default: 'Summarise the call in a few sentences.' }),
  register_summary: setting('registersSummaries', boolean('Add summaries to contacts', { default: true }), {
    read: isNotOff,
  }),
}

declare module '../../platform/settings/settings.ts' {
  interface SettingsSnapshot extends ReadOf<typeof recordingSettings & typeof transcriptSettings> {}
}
