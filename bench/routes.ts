import type { BenchRoute } from './route.ts'
import { callstatus } from './routes/callstatus.ts'
import { conversationInitiation } from './routes/conversation-initiation.ts'
import { createTicket } from './routes/create-ticket.ts'
import { gather } from './routes/gather.ts'
import { message } from './routes/message.ts'
import { number } from './routes/number.ts'
import { postCall } from './routes/post-call.ts'
import { searchTickets } from './routes/search-tickets.ts'

/** Everything that is measured. */
export const ROUTES: readonly BenchRoute[] = [
  searchTickets,
  createTicket,
  conversationInitiation,
  postCall,
  callstatus,
  number,
  gather,
  message,
]

/** The route of that name; throws with the names there are. */
export function getRoute(name: string): BenchRoute {
  const route = ROUTES.find((each) => each.name === name)
  if (route !== undefined) return route
  throw new Error(`There is no route "${name}" to measure; there are ${ROUTES.map((each) => each.name).join(', ')}.`)
}
