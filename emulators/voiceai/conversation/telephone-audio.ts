import type { Line } from '../../line.ts'
import type { Agent } from '../workspace.ts'

/** What a media stream of the telephony provider carries, and nothing else. */
const TELEPHONE = 'ulaw_8000'
/** What the platform uses where an agent names no format (its API description of 2026-08-22). */
const DEFAULT = 'pcm_16000'
const NOISE = '(noise)'

/**
 * Whether the agent speaks and hears as telephones do. Registered calls are passed on as they are, so the platform's page
 * "Register Twilio calls" (read 2026-11-22) has the owner set both formats; over SIP the platform converts.
 */
export function isTelephoneAudio({ config }: Agent): boolean {
  const { asr, tts } = config.conversation_config ?? {}
  const formats = [asr?.user_input_audio_format, tts?.agent_output_audio_format]
  return formats.every((format) => (format ?? DEFAULT) === TELEPHONE)
}

/** A line on which both sides hear only noise. */
export function overNoise(line: Line): Line {
  return {
    clock: line.clock,
    ended: line.ended,
    say: (_words, seconds) => line.say(NOISE, seconds),
    press: (keys) => line.press(keys),
    async listen() {
      await line.listen()
      return NOISE
    },
    hangUp: () => line.hangUp(),
  }
}
