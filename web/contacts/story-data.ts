import { call } from '../data/client.ts'
import { asksPages, keyOf } from '../data/keys.ts'
import type { Methods } from '../data/models.gen.ts'
import type { Tab } from './contacts-search.ts'

const PAGE = 30

export const MODELS_OF = {
  calls: 'connect.call',
  messages: 'connect.message',
  tickets: 'helpdesk.ticket',
  meetings: 'calendar.event',
} as const

type Story = Methods['res.partner']['story']['result']
export type StoryEntry = Story['entries'][number]

/** What there was with a contact, newest first, a page at a time. */
export function storyQuery(id: number, tab: Tab | undefined) {
  return asksPages({
    queryKey: keyOf('res.partner', 'story', id, tab ?? 'all'),
    initialPageParam: {} as Record<string, unknown>,
    queryFn: ({ pageParam: before }) =>
      call('res.partner', 'story', {
        ids: [id],
        before,
        limit: PAGE,
        ...(tab === undefined ? {} : { models: [MODELS_OF[tab]] }),
      }),
    getNextPageParam: (last) => last.before ?? undefined,
  })
}
