import { type HttpReply, type HttpRequest, jsonReply } from '../../http-server.ts'
import { badRequest } from './rest-error.ts'

const PAGE_SIZE = 50
const PAGE_SIZE_MAX = 1_000

interface Slice {
  readonly page: number
  readonly pageSize: number
  readonly records: readonly unknown[]
  readonly hasMore: boolean
}

/** One page of a list of the classic API: links are paths, without the host. */
export function classicPage(request: HttpRequest, key: string, all: readonly unknown[]): HttpReply {
  const { page, pageSize, records, hasMore } = slice(request, all)
  const link = (number: number): string => `${request.path}?${pageQuery(request, number, pageSize)}`
  return jsonReply(200, {
    [key]: records,
    page,
    page_size: pageSize,
    start: page * pageSize,
    end: Math.max(0, page * pageSize + records.length - 1),
    uri: link(page),
    first_page_uri: link(0),
    next_page_uri: hasMore ? link(page + 1) : null,
    previous_page_uri: page > 0 ? link(page - 1) : null,
  })
}

/** One page of a list of the product APIs: links are whole addresses, ours. */
export function productPage(request: HttpRequest, key: string, all: readonly unknown[]): HttpReply {
  const { page, pageSize, records, hasMore } = slice(request, all)
  const link = (number: number): string => `${request.origin}${request.path}?${pageQuery(request, number, pageSize)}`
  return jsonReply(200, {
    [key]: records,
    meta: {
      key,
      page,
      page_size: pageSize,
      url: link(page),
      first_page_url: link(0),
      next_page_url: hasMore ? link(page + 1) : null,
      previous_page_url: page > 0 ? link(page - 1) : null,
    },
  })
}

function slice({ query }: HttpRequest, all: readonly unknown[]): Slice {
  const page = readNumber(query.get('Page'), 0)
  const pageSize = readNumber(query.get('PageSize'), PAGE_SIZE)
  if (pageSize < 1 || pageSize > PAGE_SIZE_MAX) throw badRequest(20006, 'Page size must be between 1 and 1000')
  const records = all.slice(page * pageSize, (page + 1) * pageSize)
  return { page, pageSize, records, hasMore: all.length > (page + 1) * pageSize }
}

function readNumber(text: string | null, fallback: number): number {
  if (text === null) return fallback
  if (!/^\d+$/.test(text)) throw badRequest(20001, 'a page is a number')
  return Number(text)
}

function pageQuery({ query }: HttpRequest, page: number, pageSize: number): string {
  const next = new URLSearchParams(query)
  next.set('PageSize', String(pageSize))
  next.set('Page', String(page))
  next.set('PageToken', String(page))
  return next.toString()
}
