import { keepPreviousData } from '@tanstack/react-query'
import { send } from '../data/client.ts'
import { asks, keyOf, SERVICE } from '../data/keys.ts'

export interface Hit {
  model: string
  id: number
  title: string
  detail: string
}

const CHARS_MIN = 2
const HITS_PER_KIND = 6

/** Where records of a kind have a page of their own; the others have the generated one. */
const PAGES: Readonly<Record<string, string>> = {
  'res.partner': '/contacts',
  'connect.call': '/calls',
  'helpdesk.ticket': '/tickets',
}

/** The address of a hit. */
export function pageOf({ model, id }: Hit): string {
  return `${PAGES[model] ?? `/records/${model}`}/${id}`
}

/** Records that a text names, as far as one may read them. */
export function searchQuery(text: string) {
  return asks({
    queryKey: keyOf(SERVICE, 'search', text),
    enabled: text.length >= CHARS_MIN,
    placeholderData: keepPreviousData,
    queryFn: async () => (await send('/api/search', { text, limit: HITS_PER_KIND })) as Hit[],
  })
}
