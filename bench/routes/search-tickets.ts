import { agentHeaders, type BenchRoute, FIRST_LOADED_ID, spread } from '../route.ts'

/** The tickets of a contact: one indexed read. */
export const searchTickets: BenchRoute = {
  name: 'search_tickets',
  path: '/connect_voiceai_helpdesk/search_tickets',
  writes: {},
  request: (n, loaded) => ({
    headers: agentHeaders(loaded),
    body: JSON.stringify({ partner_id: FIRST_LOADED_ID + spread(n, loaded.contacts), only_open: true }),
  }),
}
