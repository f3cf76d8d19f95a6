import { GROUP, type Group, isInOne, type Me } from '../data/session.ts'
import type { Keys } from '../words/keys.ts'

export interface Part {
  /** As it stands in the address. */
  name: string
  words: Keys['settings']
  groups: readonly Group[]
}

const ADMINS = [GROUP.connectAdmin]
const MANAGERS = [GROUP.manager]
const BOTH = [...ADMINS, ...MANAGERS]

/** The settings by what one wants to do. */
const PARTS: readonly Part[] = [
  { name: 'set-up', words: 'setUp', groups: ADMINS },
  { name: 'address', words: 'address', groups: ADMINS },
  { name: 'phone', words: 'phone', groups: BOTH },
  { name: 'voice-agents', words: 'agents', groups: BOTH },
  { name: 'messages', words: 'messages', groups: ADMINS },
  { name: 'calls', words: 'calls', groups: ADMINS },
  { name: 'people', words: 'people', groups: BOTH },
  { name: 'groups', words: 'groups', groups: BOTH },
  { name: 'sign-in', words: 'signIn', groups: BOTH },
  { name: 'keys', words: 'keys', groups: MANAGERS },
  { name: 'privacy', words: 'privacy', groups: ADMINS },
  { name: 'checks', words: 'checks', groups: ADMINS },
  { name: 'synchronise', words: 'synchronise', groups: ADMINS },
  { name: 'audit', words: 'audit', groups: ADMINS },
  { name: 'trace', words: 'trace', groups: ADMINS },
]

/** The parts that somebody sees. */
export function partsFor(me: Me): readonly Part[] {
  return PARTS.filter(({ groups }) => isInOne(me, groups))
}
