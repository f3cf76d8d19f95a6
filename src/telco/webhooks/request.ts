import type { CallEvent } from '../../ledger/legs/leg-event.ts'

/** A verified request of the phone provider, with what the ledger made of it. */
export interface TelcoRequest {
  /** The form's fields, the first value of each. */
  readonly form: Readonly<Record<string, string>>
  /** The query of the address, such as `done_callflows`; signed, but never part of the form. */
  readonly query: URLSearchParams
  /** What the request says of its leg; undefined when it names no call. */
  readonly event: CallEvent | undefined
  /** The ledger's call of that leg, when it is known. */
  readonly callId: number | undefined
}

/** The query of a request target as it was sent; blank when there is none. */
export function rawQuery(target: string): string {
  const withoutFragment = target.split('#', 1)[0] ?? ''
  const at = withoutFragment.indexOf('?')
  return at === -1 ? '' : withoutFragment.slice(at + 1)
}
