import type { GroupRights } from '../platform/access/access.ts'
import { GROUP } from '../platform/access/identity.ts'

const FULL = 'rwcd'

/**
 * The columns of the contract's matrix (docs/reference/contract.md#groups-and-access): user, administrator, webhook,
 * public.
 */
function row(user: string, admin: string, webhook: string, everybody: string): GroupRights {
  return {
    [GROUP.connectUser]: user,
    [GROUP.connectAdmin]: admin,
    [GROUP.webhook]: webhook,
    [GROUP.public]: everybody,
  }
}

const INTERNAL_READS: GroupRights = { [GROUP.internal]: 'r', [GROUP.webhook]: 'r', [GROUP.manager]: FULL }
const HELPDESK_SETUP: GroupRights = { [GROUP.webhook]: 'r', [GROUP.helpdeskUser]: 'r', [GROUP.helpdeskManager]: FULL }

/** Calls with what belongs to them, for those who only read some of them (ledger/calls/call-readers.ts). */
const CALL_READERS: GroupRights = { [GROUP.helpdeskUser]: 'r', [GROUP.helpdeskManager]: 'r', [GROUP.agentCalls]: 'r' }

/**
 * Who may do what: model by group. A model that is not here is open to nobody.
 * Sources: docs/reference/contract.md#groups-and-access, then docs/reference/domain.md#access,
 * then docs/reference/domain.md#access-of-the-platforms-models.
 */
export const ACCESS: Readonly<Record<string, GroupRights>> = {
  'connect.voiceai_agent': row('r', FULL, 'r', '-'),
  'connect.voiceai_agent_tool': row('r', FULL, 'r', '-'),
  'connect.agent_tool_params': row('r', FULL, 'r', '-'),
  'connect.voiceai_agent_prompt': row('r', FULL, '-', '-'),
  // Saved, published and discarded by methods of the agent.
  'connect.voiceai_agent_draft': row('r', 'r', '-', '-'),
  // Begun by a method of the agent; who calls in one stands in it while it lasts.
  'connect.voiceai_trial': row('-', 'r', '-', '-'),
  'connect.voiceai_agent_transfer': row('r', FULL, '-', '-'),
  'connect.voiceai_agent_template': row('-', FULL, '-', '-'),
  'connect.voiceai_knowledge': row('r', FULL, '-', '-'),
  'connect.voiceai_question': row('r', 'r', '-', '-'),
  'connect.voiceai_voice': row('r', 'rcd', '-', '-'),
  'connect.voiceai_file': row('r', FULL, '-', 'r'),
  'connect.telco.exten': row('r', FULL, 'r', '-'),
  'connect.telco.callflow': row('r', FULL, 'r', '-'),
  'connect.telco.callflow_choice': row('r', FULL, 'r', '-'),
  'connect.telco.number': row('r', FULL, 'r', '-'),
  'connect.telco.business_hours': row('r', FULL, 'r', '-'),
  'connect.telco.opening': row('r', FULL, 'r', '-'),
  'connect.telco.holiday': row('r', FULL, 'r', '-'),
  'connect.telco.outgoing_callerid': row('r', FULL, 'rw', '-'),
  'connect.telco.user_callflow': row('r', FULL, '-', '-'),
  'connect.telco.user_callflow_call': row('r', FULL, '-', '-'),
  'connect.telco.message_configuration': row('-', FULL, '-', '-'),
  'connect.telco.markup': row('r', FULL, 'r', '-'),
  'connect.telco.domain': row('r', FULL, 'r', '-'),
  'connect.whatsapp_sender': row('r', FULL, 'rwc', '-'),
  'connect.message_content_template': row('r', FULL, '-', '-'),

  'helpdesk.ticket': { [GROUP.webhook]: 'rwc', [GROUP.helpdeskUser]: 'rwc', [GROUP.helpdeskManager]: FULL },
  'helpdesk.team': HELPDESK_SETUP,
  'helpdesk.stage': HELPDESK_SETUP,

  'connect.call': { ...row('rwc', FULL, 'rwc', '-'), ...CALL_READERS },
  'connect.channel': { ...row('r', FULL, 'rwc', '-'), ...CALL_READERS },
  'connect.recording': { ...row('r', FULL, 'rwc', '-'), ...CALL_READERS },
  // Written by the service; anyone who may read a call may read its voicemails.
  'connect.voicemail': { ...row('r', 'r', '-', '-'), ...CALL_READERS },
  'connect.message': row('rwc', FULL, 'rwc', '-'),
  // Changed by their own methods only. A mark of reading is its reader's; a notice is its person's, administrators' too.
  'connect.conversation': row('r', 'r', '-', '-'),
  'connect.conversation.reader': row('r', 'r', '-', '-'),
  'connect.notice': { [GROUP.internal]: 'r' },
  'connect.user': row('r', FULL, 'r', '-'),
  'connect.favorite': row(FULL, FULL, '-', '-'),
  'connect.settings': { ...row('-', 'rwc', '-', '-'), [GROUP.manager]: 'rw' },
  'connect.debug': row('-', FULL, 'rc', '-'),

  // The delivery log and the inbox hold callers' words: administrators only, and nobody edits them by hand.
  'connect.delivery': row('-', 'r', '-', '-'),
  'connect.inbox': row('-', 'r', '-', '-'),
  // Nobody writes who changed what, or what a look at the installation found.
  'connect.job': row('-', 'r', '-', '-'),
  'connect.audit': row('-', 'r', '-', '-'),
  'connect.check_run': row('-', 'r', '-', '-'),
  // Runs are written by the service, step by step.
  'connect.sync_run': row('-', 'r', '-', '-'),
  'connect.erasure': row('-', 'r', '-', '-'),
  // The service's own count of the day.
  'connect.outgoing_count': {},

  'res.partner': { ...row('rwc', FULL, 'rwc', '-'), [GROUP.helpdeskUser]: 'r' },
  'res.users': { ...row('r', FULL, 'r', '-'), [GROUP.internal]: 'r', [GROUP.manager]: FULL },
  // One's own; those of everybody are an administrator's (platform/views).
  'connect.view': { [GROUP.internal]: FULL },
  'res.users.invitation': { [GROUP.manager]: 'r' },
  'res.users.session': { [GROUP.internal]: 'r' },
  'res.users.apikeys': { [GROUP.internal]: 'rd', [GROUP.manager]: 'rd' },
  'res.groups': INTERNAL_READS,
  'res.lang': INTERNAL_READS,
  'res.country': INTERNAL_READS,
  'resource.calendar': { ...row('r', FULL, 'r', '-'), [GROUP.internal]: 'r' },
  'resource.calendar.attendance': { ...row('r', FULL, 'r', '-'), [GROUP.internal]: 'r' },
  'calendar.event': row(FULL, FULL, FULL, '-'),
  'mail.message': { ...row('r', 'r', 'c', '-'), [GROUP.helpdeskUser]: 'r', [GROUP.helpdeskManager]: 'r' },
}
