import { contactNumbers } from '../../contacts/renumber-contacts.ts'
import { renumberingJob } from '../../contacts/renumbering.ts'
import { ticketNumbers } from '../../helpdesk/tickets/renumber-tickets.ts'
import type { JobKind } from '../../jobs/queue.ts'
import { ownNumbers } from '../../telco/numbers/renumber-numbers.ts'
import { type ErasureParts, erasureJob, idleErasuresJob } from './erasure-job.ts'
import { forgetLateJob } from './forget-late.ts'

/** What has numbers that somebody wrote. */
export const NUMBERED_TABLES = [contactNumbers, ownNumbers, ticketNumbers]

/** Work on contacts that reaches into the tables of many rooms. */
export function contactJobs(parts: ErasureParts): JobKind[] {
  const renumbering = renumberingJob({ db: parts.db, log: parts.platform.log }, NUMBERED_TABLES) as JobKind
  return [erasureJob(parts) as JobKind, idleErasuresJob(parts), forgetLateJob(parts) as JobKind, renumbering]
}
