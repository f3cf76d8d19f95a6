import { boolean, selection, text } from '../../platform/model/fields.ts'
import { isNotOff, type ReadOf, setting } from '../../platform/settings/setting.ts'

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
  interface SettingsSnapshot extends ReadOf<typeof transcriptSettings> {}
}
