import { agentHelpdesk } from './agent-helpdesk.ts'
import { agentMobile } from './agent-mobile.ts'
import { agentStreamTransfer } from './agent-stream-transfer.ts'
import { agentTransfer } from './agent-transfer.ts'
import { agentUnreachable } from './agent-unreachable.ts'
import { callerId } from './caller-id.ts'
import { clickToCall } from './click-to-call.ts'
import { colleagues } from './colleagues.ts'
import { menuVoicemail } from './menu-voicemail.ts'
import { missedCall } from './missed-call.ts'
import { mobile } from './mobile.ts'
import { personalVoicemail } from './personal-voicemail.ts'
import { phonesInTurn } from './phones-in-turn.ts'
import { rcs } from './rcs.ts'
import type { Scenario } from './scenario.ts'
import { sipPhoneOut } from './sip-phone-out.ts'
import { sms } from './sms.ts'
import { spokenMenu } from './spoken-menu.ts'
import { whatsApp } from './whatsapp.ts'
import { whatsAppParts } from './whatsapp-parts.ts'
import { wrongDigits } from './wrong-digits.ts'

/** Every scenario, the one that shows most first. */
export const SCENARIOS: readonly Scenario[] = [
  agentHelpdesk,
  agentTransfer,
  agentMobile,
  agentStreamTransfer,
  agentUnreachable,
  menuVoicemail,
  spokenMenu,
  wrongDigits,
  personalVoicemail,
  missedCall,
  phonesInTurn,
  mobile,
  sms,
  rcs,
  whatsApp,
  whatsAppParts,
  callerId,
  sipPhoneOut,
  clickToCall,
  colleagues,
]
