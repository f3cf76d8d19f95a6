// Who reads which calls: the one place for a call and for everything that belongs to it. Anyone who has access without a rule (an
// administrator, the webhook) reads every call.
import { GROUP, type Identity } from '../../platform/access/identity.ts'
import type { RecordRule } from '../../platform/model/values.ts'
import type { Domain } from '../../platform/records/domain-syntax.ts'

/**
 * A call that only a voice agent answered, and that none of us made: it belongs to nobody. A person who is no user of ours, such
 * as one at a number outside, is a person too.
 */
export const ONLY_AGENT_OF_ROW = `(voiceai_agent is not null or voiceai_conversation_id is not null)
    and caller_user is null and answered_user is null
    and coalesce(legs_outcome, 'agent') not in ('person', 'agent_person')
    and (coalesce(legs_outcome, 'agent') in ('agent', 'ours', 'in_progress') or conversation_seconds is not null)`

/** What leads from a record to its call, with the dot; nothing where the record is the call. */
type PathToCall = '' | 'call.'

/** The rules of a model whose records follow their call: one's own calls, those of tickets, and those of agents. */
export function readersOfCalls(path: PathToCall): RecordRule[] {
  return [{ group: GROUP.connectUser, domain: (identity) => ownCalls(path, identity) }, ...sharedCalls(path)]
}

/**
 * Calls that are read without being one's own. That of a ticket by the person who reads the ticket: people of the helpdesk, who read
 * every ticket. That of an agent by the person who has the right to.
 */
export function sharedCalls(path: PathToCall): RecordRule[] {
  const ofTickets: Domain = [[`${path}ticket`, '!=', null]]
  return [
    { group: GROUP.helpdeskUser, domain: () => ofTickets },
    { group: GROUP.helpdeskManager, domain: () => ofTickets },
    { group: GROUP.agentCalls, domain: () => [[`${path}only_agent`, '=', true]] },
  ]
}

function ownCalls(path: PathToCall, { userId }: Identity): Domain {
  return [
    '|',
    '|',
    [`${path}caller_user`, '=', userId],
    [`${path}answered_user`, '=', userId],
    [`${path}called_users`, 'in', [userId]],
  ]
}
