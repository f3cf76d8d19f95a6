import type { RoutedCall } from '../decide/context.ts'

/** One fact that a decision about a call asks for, by its key. */
export interface Asked<Key> {
  readonly key: Key
  readonly call: RoutedCall
}

/** The keys, each once. */
export function keysOf<Key>(asked: readonly Asked<Key>[]): Key[] {
  return [...new Set(asked.map(({ key }) => key))]
}

/** The ledger's calls, each once. */
export function callsOf(asked: readonly Pick<Asked<unknown>, 'call'>[]): number[] {
  return [...new Set(asked.flatMap(({ call }) => call.callId ?? []))]
}
