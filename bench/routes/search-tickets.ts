import { hasToken } from '../bare-checks.ts'
import { agentHeaders, type BenchRoute, FIRST_LOADED_ID, spread } from '../route.ts'

interface Ticket {
  ticket_id: number
  ticket_name: string
  stage: string
}

const SEARCH = {
  name: 'search',
  text: `select t.id as ticket_id, t.name as ticket_name, coalesce(s.name, 'New') as stage, t.create_date,
      coalesce(t.description, '') as description
    from helpdesk_ticket t left join helpdesk_stage s on s.id = t.stage_id
    where t.partner_id = $1 and t.active and (not $2::bool or coalesce(s.fold, false) = false)
    order by t.id desc limit 10`,
}

/** The tickets of a contact: one indexed read. */
export const searchTickets: BenchRoute = {
  name: 'search_tickets',
  path: '/connect_voiceai_helpdesk/search_tickets',
  ratioMin: { embedded: 2.5, PostgreSQL: 1.2 },
  writes: {},
  request: (n, loaded) => ({
    headers: agentHeaders(loaded),
    body: JSON.stringify({ partner_id: FIRST_LOADED_ID + spread(n, loaded.contacts), only_open: true }),
  }),
  async bare(db, { headers, body, loaded }) {
    if (!hasToken(headers, loaded)) return { status: 401, body: '' }
    const { partner_id: partner, only_open: onlyOpen } = JSON.parse(body.toString())
    const tickets = await db.query<Ticket>(SEARCH, [partner, onlyOpen])
    const spoken = tickets.map(({ ticket_id: id, ticket_name: name, stage }) => `number ${id}, ${name}, in ${stage}`)
    return { status: 200, body: JSON.stringify({ tickets, say: `I found: ${spoken.join('; ')}.` }) }
  },
}
