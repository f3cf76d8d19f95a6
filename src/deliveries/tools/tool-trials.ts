import type { Handled, IncomingRequest, Reply, TableRow } from '../webhooks/webhook-table.ts'

/** What works on requests of tools that are made in a trial. */
export interface ToolTrials {
  /** Undefined for a request that is not made in a trial. */
  run(place: TableRow, arrival: IncomingRequest): Promise<Reply | Handled> | undefined
}
