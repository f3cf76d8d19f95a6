import { expect } from 'vitest'
import type { RefusalCode } from '../../src/refusals.ts'
import type { Answer, Caller } from './test-app.ts'

/** What refuses a request: its code, the status and the sentence. */
export type Refused = readonly [code: RefusalCode, status: number, sentence: string]

/** A call that is refused: by which code, of which `model/method` with which arguments, with which status and sentence. */
export type RefusedCall = readonly [
  code: RefusalCode,
  call: string,
  /** A function where they name records that the test makes first. */
  args: object | (() => object | Promise<object>),
  status: number,
  sentence: string,
]

/** Checks that the API refuses the call by this code, with this status and this sentence. */
export async function expectRefusedCall(caller: Caller, [code, call, args, status, sentence]: RefusedCall) {
  const [model = '', method = ''] = call.split('/')
  const given = typeof args === 'function' ? await (args as () => object | Promise<object>)() : args
  expectRefused(await caller.call(model, method, given), [code, status, sentence])
}

/** Checks that an answer of the API, or of a route beside it, refuses. */
export function expectRefused({ status, body }: Answer, [code, expected, sentence]: Refused): void {
  const { message, context } = (body ?? {}) as { message?: string; context?: { code?: string } }
  expect({ code: context?.code, status, sentence: message }).toEqual({ code, status: expected, sentence })
}
