import type { Verb } from '../../markup/verb.ts'
import { recordVoicemail } from '../../markup/voice.ts'
import { actionUrl, type RouteContext, reportUrl } from './context.ts'
import { type Speech, speak } from './speech.ts'

/** Asks for a message and records it. */
export function voicemailVerbs(context: RouteContext, prompt: Speech): Verb[] {
  const record = recordVoicemail({
    action: actionUrl(context, '/telco/webhook/callaction'),
    statusCallback: reportUrl(context, 'vm_recordingstatus'),
  })
  return [speak(context.settings, prompt), record]
}
