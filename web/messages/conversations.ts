import { call } from '../data/client.ts'
import type { Place } from '../data/drafts.ts'
import { asks, asksPages, keyOf } from '../data/keys.ts'
import type { Link, Methods } from '../data/models.gen.ts'
import type { MessagesSearch } from './messages-search.ts'

type Listed = Methods['connect.message']['conversations']['result'][number]
export type Conversation = Omit<Listed, 'partner' | 'assigned'> & { partner: Link | null; assigned: Link | null }
/** Which conversation, as its address says it. */
export type Party = Pick<Conversation, 'channel' | 'ours' | 'theirs'>

/** How the two write each other. An agent of ours on RCS is no number. */
export function wayOf({ channel, ours }: Pick<Party, 'channel' | 'ours'>): string {
  if (channel !== 'sms') return channel
  return ours.startsWith('rcs:') ? 'RCS' : 'SMS'
}

/** Where something is typed that goes into the conversation. */
export function placeOf({ channel, ours, theirs }: Party, field: string): Place {
  return { model: 'connect.conversation', id: [channel, ours, theirs].join(' '), field }
}

const ROWS = 50

/** Conversations, a page at a time. */
export function conversationsQuery({ show = 'open', search }: MessagesSearch) {
  return asksPages({
    queryKey: keyOf('connect.message', 'conversations', show, search ?? ''),
    initialPageParam: 0,
    queryFn: ({ pageParam: before }) =>
      ask({
        filter: show,
        limit: ROWS,
        ...(search === undefined ? {} : { search }),
        ...(before === 0 ? {} : { before }),
      }),
    getNextPageParam: (last) => (last.length < ROWS ? undefined : last.at(-1)?.position),
  })
}

/** One conversation; null when nobody has written in it yet. */
export function conversationQuery(party: Party) {
  return asks({
    queryKey: keyOf('connect.message', 'conversation', party),
    queryFn: async () => (await ask({ party, limit: 1 }))[0] ?? null,
  })
}

async function ask(args: Methods['connect.message']['conversations']['args']): Promise<Conversation[]> {
  return (await call('connect.message', 'conversations', args)) as Conversation[]
}
