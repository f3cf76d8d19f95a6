/** Says when a secret was set, and by whom; pure. */
import type { Keys } from '../words/keys.ts'

/** The service's own user, as which its command line acts. */
const COMMAND_LINE = 'local-admin'

interface Words {
  say: (key: Keys['settings'], values?: Record<string, string>) => string
  /** What the person is called. */
  who: string
  at: (stored: string) => string
}

export function setWords(set: { at: string; by: string | null } | null | undefined, { say, who, at }: Words): string {
  if (set === null || set === undefined) return say('isSet')
  const time = at(set.at)
  if (set.by === null) return say('setAt', { at: time })
  return set.by === COMMAND_LINE ? say('setByCommand', { at: time }) : say('setBy', { at: time, by: who })
}
