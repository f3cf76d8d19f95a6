import {
  Activity,
  Bot,
  Inbox,
  type LucideIcon,
  MessageSquare,
  Phone,
  Settings,
  SquareStack,
  Ticket,
  Users,
} from 'lucide-react'
import { GROUP, type Group, isInOne, type Me, READS_CALLS } from '../data/session.ts'
import type { Keys } from '../words/keys.ts'

const PARTS = ['live', 'steer'] as const

export interface Entry {
  to: string
  words: Keys['shell']
  icon: LucideIcon
  /** Pressed after `g`. */
  key: string
  part: (typeof PARTS)[number]
  groups: readonly Group[]
}

const CALLS = [GROUP.connectUser, GROUP.connectAdmin]
const TICKETS = [GROUP.helpdeskUser, GROUP.helpdeskManager]

const ENTRIES: readonly Entry[] = [
  { to: '/now', words: 'now', icon: Activity, key: 'n', part: 'live', groups: CALLS },
  { to: '/calls', words: 'calls', icon: Phone, key: 'c', part: 'live', groups: READS_CALLS },
  { to: '/tickets', words: 'tickets', icon: Ticket, key: 't', part: 'live', groups: TICKETS },
  { to: '/messages', words: 'messages', icon: MessageSquare, key: 'm', part: 'live', groups: CALLS },
  { to: '/contacts', words: 'contacts', icon: Users, key: 'o', part: 'live', groups: [...CALLS, ...TICKETS] },
  { to: '/agents', words: 'agents', icon: Bot, key: 'a', part: 'steer', groups: CALLS },
  {
    to: '/records',
    words: 'records',
    icon: SquareStack,
    key: 'r',
    part: 'steer',
    groups: [...CALLS, GROUP.helpdeskManager, GROUP.manager],
  },
  { to: '/deliveries', words: 'deliveries', icon: Inbox, key: 'd', part: 'steer', groups: [GROUP.connectAdmin] },
  {
    to: '/settings',
    words: 'settings',
    icon: Settings,
    key: 's',
    part: 'steer',
    groups: [GROUP.connectAdmin, GROUP.manager],
  },
]

/** The entries of the rail that somebody sees: what one may not do is not drawn. */
export function entriesFor(me: Me): Entry[] {
  return ENTRIES.filter(({ groups }) => isInOne(me, groups))
}

/** The headings over entries; one without any is not drawn. */
export function partsOf(entries: readonly Entry[]): Entry['part'][] {
  return PARTS.filter((part) => entries.some((entry) => entry.part === part))
}

/** The page that somebody begins with. */
export function homeOf(me: Me): string {
  if (isInOne(me, CALLS)) return '/now'
  if (isInOne(me, TICKETS)) return '/tickets'
  return isInOne(me, READS_CALLS) ? '/calls' : '/me'
}
