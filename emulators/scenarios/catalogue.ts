import { agentHelpdesk } from './agent-helpdesk.ts'
import { agentStreamTransfer } from './agent-stream-transfer.ts'
import { agentTransfer } from './agent-transfer.ts'
import { callerId } from './caller-id.ts'
import { colleagues } from './colleagues.ts'
import { menuVoicemail } from './menu-voicemail.ts'
import { missedCall } from './missed-call.ts'
import { phonesInTurn } from './phones-in-turn.ts'
import type { Scenario } from './scenario.ts'
import { sipPhoneOut } from './sip-phone-out.ts'
import { sms } from './sms.ts'
import { whatsApp } from './whatsapp.ts'

/** Every scenario, the one that shows most first. */
export const SCENARIOS: readonly Scenario[] = [
  agentHelpdesk,
  agentTransfer,
  agentStreamTransfer,
  menuVoicemail,
  missedCall,
  phonesInTurn,
  sms,
  whatsApp,
  callerId,
  sipPhoneOut,
  colleagues,
]
