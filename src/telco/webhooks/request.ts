import type { IncomingRequest } from '../../deliveries/webhooks/webhook-table.ts'
import { type CallEvent, parseCallEvent } from '../../ledger/legs/leg-event.ts'
import { ID_IN_ADDRESS } from '../../lenient-values.ts'
import { readForm } from './authentication.ts'
import { type Form, firstValues } from './form.ts'

/** Without a prototype, as a form that was read. */
const NO_FIELDS: Readonly<Form> = Object.freeze(Object.create(null))

/** A verified request of the phone provider. */
export interface TelcoRequest {
  /** The form's fields, the first value of each. */
  readonly form: Readonly<Record<string, string>>
  /** The query of the address, such as `done_callflows`; signed, but never part of the form. */
  readonly query: URLSearchParams
  /** What the request says of its leg; undefined when it names no call. */
  readonly event: CallEvent | undefined
  /** Values of the `:name` parts of the address. */
  readonly params: Readonly<Record<string, string>>
}

/** What a verified delivery asks. */
export function readRequest({ target, headers, body, params }: IncomingRequest): TelcoRequest {
  return parseRequest({ form: firstValues(readForm({ headers, body }) ?? NO_FIELDS), query: rawQuery(target), params })
}

export function parseRequest({
  form,
  query,
  params = {},
}: {
  form: TelcoRequest['form']
  query: string
  params?: TelcoRequest['params']
}): TelcoRequest {
  return { form, query: new URLSearchParams(query), event: parseCallEvent(form), params }
}

/** The record that the address names; 0, which no record has, for what is no id: routing finds no such record. */
export function recordIdOf({ params: { record = '' } }: TelcoRequest): number {
  return ID_IN_ADDRESS.test(record) ? Number(record) : 0
}

/** The query of a request target as it was sent; blank when there is none. */
export function rawQuery(target: string): string {
  const withoutFragment = target.split('#', 1)[0] ?? ''
  const at = withoutFragment.indexOf('?')
  return at === -1 ? '' : withoutFragment.slice(at + 1)
}
