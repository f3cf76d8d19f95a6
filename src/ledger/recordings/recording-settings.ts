import { boolean, integer, selection, text } from '../../platform/model/fields.ts'
import { isNotOff, type ReadOf, setting } from '../../platform/settings/setting.ts'

const KEEP_DAYS_MAX = 36_500

/** What administrators decide about recordings. */
export const recordingSettings = {
  proxy_recordings: setting('proxiesRecordings', boolean('Serve recordings from here', { default: true }), {
    read: isNotOff,
  }),
  store_recordings: setting(
    'storesRecordings',
    boolean('Keep a copy of recordings', {
      help: "Audio is copied to this service's own storage, so that it stays when the provider deletes it.",
    }),
  ),
  audio_keep_days: setting(
    'audioKeepDays',
    integer('Keep audio (days)', {
      min: 1,
      max: KEEP_DAYS_MAX,
      help: 'Older audio of recordings and voicemails is removed here; what the phone provider keeps is removed there. Empty: for ever.',
    }),
  ),
  transcript_keep_days: setting(
    'transcriptKeepDays',
    integer('Keep transcripts (days)', {
      min: 1,
      max: KEEP_DAYS_MAX,
      help: 'Older transcripts of recordings and of conversations with agents are removed; summaries stay. Empty: for ever.',
    }),
  ),
  announce_recordings: setting(
    'announcesRecordings',
    boolean('Announce recordings', {
      help:
        'Callers hear, in the language of whoever they call, that the call may be recorded, before a phone rings that ' +
        'records its calls. Off: such calls are recorded without a word.',
    }),
  ),
}

/** What administrators decide about transcripts and summaries of calls. */
export const transcriptSettings = {
  transcript_calls: setting('transcribesCalls', boolean('Transcribe calls', { default: false })),
  transcript_provider: selection('Transcription by', ['core', 'voiceai'], { default: 'core' }),
  summary_prompt: text('Summary prompt', { required: true, default: 'Summarise the call in a few sentences.' }),
  register_summary: setting('registersSummaries', boolean('Post summaries to contacts', { default: true }), {
    read: isNotOff,
  }),
}

declare module '../../platform/settings/settings.ts' {
  interface SettingsSnapshot extends ReadOf<typeof recordingSettings & typeof transcriptSettings> {}
}
