import type { IncomingHttpHeaders } from 'node:http'
import { readId } from '../../lenient-values.ts'

/** By which a tool that this service pushed names the call it is used in (dynamic variable `call_id`). */
export const CALL_HEADER = 'x-connect-call'

/** The call that a request says it is made in. */
export interface NamedCall {
  /** Undefined when what names it is no id, such as the variable of a call that could not be looked up. */
  id: number | undefined
  /** Named by the platform itself, and not by a parameter of the tool. */
  isByHeader: boolean
}

/** The call named by the header, else by `call_id` in the body; undefined when neither is there. */
export function namedCall(headers: IncomingHttpHeaders, args: Record<string, unknown>): NamedCall | undefined {
  const header = headers[CALL_HEADER]
  const isByHeader = header !== undefined
  const reading = readId(isByHeader ? header : args.call_id)
  if (reading.kind === 'present') return { id: reading.value, isByHeader }
  return isByHeader || reading.kind === 'invalid' ? { id: undefined, isByHeader } : undefined
}
