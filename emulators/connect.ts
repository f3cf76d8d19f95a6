import type { TelcoEmulator } from './telco/start.ts'
import { STREAM_HOST } from './voiceai/rest/register-call.ts'
import type { VoiceaiEmulator } from './voiceai/start.ts'

/** Host at which the voice-agent platform takes calls over SIP. */
const SIP_HOST = 'sip.rtc.elevenlabs.io'

/** Makes calls and media streams of the telephony emulator reach the agents of the other one. */
export function connectEmulators(telco: TelcoEmulator, voiceai: VoiceaiEmulator): void {
  telco.connectSipHost(SIP_HOST, voiceai.sip)
  telco.connectStreamHost(STREAM_HOST, voiceai.streams)
}
