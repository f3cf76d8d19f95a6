import type { Verb } from '../../markup/verb.ts'
import { recordVoicemail } from '../../markup/voice.ts'
import { type Speech, speak } from '../load/speech.ts'
import { actionUrl, type Rendering, reportUrl } from '../rendering.ts'

/** Asks for a message and records it. */
export function voicemailVerbs(rendering: Rendering, prompt: Speech): Verb[] {
  const record = recordVoicemail({
    action: actionUrl(rendering, '/telco/webhook/callaction'),
    statusCallback: reportUrl(rendering, 'vm_recordingstatus'),
  })
  return [speak(rendering.env.settings, prompt), record]
}
