import { isFailure, type MessageStatus, STATUS_RANK } from './message-status.ts'

/** How far a message has come, as it is stored. */
export interface MessageProgress {
  readonly status: MessageStatus
  /** Usually the rank of the status; lower when the status is only what we must assume. */
  readonly rank: number
  readonly hasError: boolean
  readonly errorCode: string | null
  readonly errorMessage: string | null
}

/** What one report says. */
export interface DeliveryReport {
  readonly status: MessageStatus
  readonly errorCode: string | null
  readonly errorMessage: string | null
}

/** The delivery after one more report: the same for every order and every number of repeats of the same reports. */
export function mergeDelivery(stored: MessageProgress, report: DeliveryReport): MessageProgress {
  const rank = STATUS_RANK[report.status]
  if (rank < stored.rank) return stored
  const isError = isFailure(report.status)
  const said = { errorCode: isError ? report.errorCode : null, errorMessage: isError ? report.errorMessage : null }
  if (rank > stored.rank) return { status: report.status, rank, hasError: isError, ...said }
  return { ...stored, hasError: stored.hasError || isError, ...preferred(stored, said) }
}

type Said = Pick<MessageProgress, 'errorCode' | 'errorMessage'>

/**
 * Of two reports of one failure that say different things: always the same one, whose code and message belong together,
 * and what is said over silence.
 */
function preferred(a: Said, b: Said): Said {
  const { errorCode, errorMessage } = ranked(a) >= ranked(b) ? a : b
  return { errorCode, errorMessage }
}

function ranked({ errorCode, errorMessage }: Said): string {
  return `${errorCode ?? ''}\0${errorMessage ?? ''}`
}
