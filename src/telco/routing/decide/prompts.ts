import type { Verb } from '../../markup/verb.ts'
import { recordVoicemail, type SpeechOptions, say } from '../../markup/voice.ts'
import { sentence } from '../../sentences/sentence.ts'
import { actionUrl, type RouteContext, reportUrl } from './context.ts'
import { type Speech, speak } from './speech.ts'

/** What callers hear before a phone rings that records them; nothing unless the settings want it. */
export function announcement(
  { settings }: RouteContext,
  { recordsCalls, speech }: { recordsCalls: boolean; speech: SpeechOptions },
): Verb[] {
  if (!recordsCalls || !settings.announcesRecordings) return []
  return [say(sentence('callIsRecorded', speech.language), speech)]
}

/** Asks for a message and records it. */
export function voicemailVerbs(context: RouteContext, prompt: Speech): Verb[] {
  const record = recordVoicemail({
    action: actionUrl(context, '/telco/webhook/callaction'),
    statusCallback: reportUrl(context, 'vm_recordingstatus'),
  })
  return [speak(context.settings, prompt), record]
}
