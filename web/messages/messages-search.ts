/** What the addresses of the messages say; pure. */
export const SHOWS = ['open', 'unread', 'failed', 'mine', 'all'] as const
export type Show = (typeof SHOWS)[number]

export interface MessagesSearch {
  /** Open ones where nothing is said. */
  show?: Show
  search?: string
  /** Somebody is about to be written to for the first time; their number, where it is known. */
  to?: string
}

export function readMessagesSearch(search: Record<string, unknown>): MessagesSearch & Record<string, unknown> {
  const show = SHOWS.find((each) => each === search.show)
  const text = asText(search.search)
  const to = asText(search.to)
  return {
    ...(show === undefined || show === 'open' ? {} : { show }),
    ...(text === '' ? {} : { search: text }),
    ...(search.to === undefined ? {} : { to }),
  }
}

/** A number is written with a plus, or without one it is read as a number. */
function asText(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : ''
}
