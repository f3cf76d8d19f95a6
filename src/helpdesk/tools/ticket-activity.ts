import { Type } from 'typebox'
import { tool, toolReply } from '../../deliveries/tools/tool.ts'
import { answerOnce } from '../../deliveries/tools/tool-answers.ts'
import { TEXT_CHARS_MAX, text } from '../../deliveries/tools/tool-arguments.ts'
import { messagePost } from '../../platform/chatter/chatter.ts'
import { lockReachedTicket, ticketId } from './reach.ts'

/** Posts a note as a comment; the same note on the same ticket within 90 seconds is posted once. */
export const ticketActivityTool = tool({
  path: '/ticket_activity',
  name: 'helpdesk_ticket_activity',
  summary: 'Post a note on a ticket',
  description: 'Adds a note to a ticket, for example what was said in this call.',
  timeoutSeconds: 20,
  input: {
    ticket_id: ticketId,
    note: text({
      required: 'Note content is required',
      charsMax: TEXT_CHARS_MAX,
      from: { agent: 'The text of the note.' },
    }),
  },
  reply: toolReply({ message: Type.String(), ticket_id: Type.Integer() }),
  access: 'write',
  async run(env, { ticket_id: id, note }, use) {
    // Before the answer is looked up: one that is known must not say what another call did.
    await lockReachedTicket(env, id, use)
    return answerOnce(env, ['ticket_activity', id, note], async () => {
      await messagePost(env, { model: 'helpdesk.ticket', id, text: note, type: 'comment', subtype: 'comment' })
      const say = `I have added the note to ticket number ${id}.`
      return { message: 'Note added to ticket successfully', ticket_id: id, say }
    })
  },
})
