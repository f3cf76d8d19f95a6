import { type NumberedTable, renumberingJob } from '../../contacts/renumbering.ts'
import type { JobKind } from '../../jobs/queue.ts'
import { type ErasureParts, erasureJob, idleErasuresJob } from './erasure-job.ts'
import { forgetLateJob } from './forget-late.ts'

/** Work on contacts that reaches into the tables of many rooms; `numbered` are those that have numbers. */
export function contactJobs(parts: ErasureParts & { numbered: readonly NumberedTable[] }): JobKind[] {
  const renumbering = renumberingJob({ db: parts.db, log: parts.platform.log }, parts.numbered) as JobKind
  return [erasureJob(parts) as JobKind, idleErasuresJob(parts), forgetLateJob(parts) as JobKind, renumbering]
}
