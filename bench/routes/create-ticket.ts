import { agentHeaders, type BenchRoute, callId, FIRST_LOADED_ID, spread } from '../route.ts'

/** A ticket for a call: a claim against repeats, the ticket, the answer kept, all in one transaction. */
export const createTicket: BenchRoute = {
  name: 'create_ticket',
  path: '/connect_voiceai_helpdesk/create_ticket',
  writes: { helpdesk_ticket: 1, connect_tool_answer: 1 },
  request: (n, loaded) => ({
    headers: agentHeaders(loaded),
    body: JSON.stringify({
      subject: `The heating in flat ${n} is cold`,
      description: 'It went off last night. The display shows E 12, and a restart did not help.',
      team_name: 'support',
      partner_id: FIRST_LOADED_ID + spread(n, loaded.contacts),
      call_id: callId(spread(n, loaded.calls)),
    }),
  }),
}
