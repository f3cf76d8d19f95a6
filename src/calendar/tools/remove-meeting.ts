import { Type } from 'typebox'
import { tool, toolReply } from '../../deliveries/tools/tool.ts'
import { answerOnce } from '../../deliveries/tools/tool-answers.ts'
import { recordId } from '../../deliveries/tools/tool-arguments.ts'
import { Refusal } from '../../errors.ts'
import { type CallReach, findReach } from '../../ledger/calls/call-reach.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import { records } from '../../platform/records/records.ts'
import { findSentContact } from './arguments.ts'

/**
 * Cancels a meeting; in a call that is named, only one that its contact or their company attends, or that was booked in
 * it.
 */
export const removeMeetingTool = tool({
  path: '/remove_meeting',
  name: 'calendar_remove_meeting',
  summary: 'Cancel a meeting',
  description: 'Cancels a meeting. Use it only after the caller confirmed which meeting is to be cancelled.',
  timeoutSeconds: 10,
  input: {
    event_id: recordId({
      required: 'agent-event-id-required',
      from: { agent: 'Id of the meeting, from the list of meetings.' },
    }),
    call_id: recordId({ isLenient: true, from: 'variable' }),
    partner_id: recordId({ isLenient: true }),
  },
  reply: toolReply({ status: Type.Integer(), detail: Type.String() }),
  refuses: [400, 404],
  access: 'write',
  async run(env, args, { named, setSubject }) {
    const { event_id: eventId, partner_id: sentContact } = args
    const reach = await findReach(env, named)
    setSubject({ call: reach?.call })
    const owned = reach === undefined ? await ownedBySent(env, sentContact) : ownedBy(reach)
    // Another call is another answer: what one did is nobody else's to know.
    return answerOnce(env, ['remove_meeting', eventId, ...(reach === undefined ? [] : [reach.call])], async () => {
      // Elevated, because people do not search by the call a meeting was booked in.
      const [found] = await records(elevated(env), 'calendar.event').search([['id', '=', eventId], ...owned])
      if (found === undefined) throw new Refusal('not-found', 'agent-event-not-found')
      await records(env, 'calendar.event').unlink([found])
      return { status: 200, detail: 'Event successfully removed', say: 'The meeting is cancelled.' }
    })
  },
})

/** Meetings that the call reaches, as a search domain. */
function ownedBy({ contacts, call }: CallReach): unknown[] {
  return ['|', ['partner_ids', 'in', [...contacts]], ['made_in_call', '=', call ?? 0]]
}

/** Without a call: when a contact is sent, only what they attend. */
async function ownedBySent(env: Env, sentContact: number | undefined): Promise<unknown[]> {
  const contact = await findSentContact(env.db, sentContact)
  return contact === undefined ? [] : [['partner_ids', 'in', [contact]]]
}
