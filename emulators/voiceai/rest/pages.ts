import { type HttpReply, type HttpRequest, jsonReply } from '../../http-server.ts'
import { badValue } from './api-error.ts'

const PAGE_SIZE = 30
const PAGE_SIZE_MAX = 100

/** One page of a list: the cursor is where the next page starts. */
export function cursorPage(
  request: HttpRequest,
  all: readonly unknown[],
  { key, cursor: cursorName = 'cursor', next = 'next_cursor' }: { key: string; cursor?: string; next?: string },
): HttpReply {
  const { query } = request
  const size = Number(query.get('page_size') ?? PAGE_SIZE)
  if (!Number.isInteger(size) || size < 1 || size > PAGE_SIZE_MAX) {
    throw badValue(['query', 'page_size'], `Input should be less than or equal to ${PAGE_SIZE_MAX}`)
  }
  const start = Number(query.get(cursorName) ?? 0)
  const hasMore = all.length > start + size
  return jsonReply(200, {
    [key]: all.slice(start, start + size),
    has_more: hasMore,
    [next]: hasMore ? String(start + size) : null,
  })
}
