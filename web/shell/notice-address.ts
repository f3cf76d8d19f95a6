import { searchRead } from '../data/client.ts'
import type { Notice } from './notices.ts'

const PAGES: Readonly<Record<string, string>> = {
  'connect.call': '/calls/',
  'helpdesk.ticket': '/tickets/',
  'res.partner': '/contacts/',
}

/** Where a notice leads: the page of its record, else the generated screen of it. */
export async function noticeAddress({ res_model: model, res_id: id }: Notice): Promise<string> {
  if (model === null || id === null) return '/'
  const page = PAGES[model]
  if (page !== undefined) return page + id
  if (model !== 'connect.conversation') return `/records/${model}/${id}`
  const fields = ['channel', 'ours', 'theirs'] as const
  const [found] = await searchRead('connect.conversation', { domain: [['id', '=', id]], fields, limit: 1 })
  const parts = [found?.channel, found?.ours, found?.theirs].map((each) => encodeURIComponent(each ?? ''))
  return found === undefined ? '/messages' : `/messages/${parts.join('/')}`
}
