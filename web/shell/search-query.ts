import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Domain, searchRead } from '../data/client.ts'
import { GROUP, isInOne, type Me } from '../data/session.ts'
import { phone, plain } from '../words/formats.ts'

interface Hit {
  to: string
  title: string
  detail: string
}

const CHARS_MIN = 2
const HITS_PER_KIND = 6
const CALLS = [GROUP.connectUser, GROUP.connectAdmin]
const TICKETS = [GROUP.helpdeskUser, GROUP.helpdeskManager]

/** Records that a text names; what somebody may not read is not asked for. */
export function searchQuery(me: Me, text: string) {
  return queryOptions({
    queryKey: ['search', text],
    enabled: text.length >= CHARS_MIN,
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<Hit[]> => {
      const kinds = [
        ...(isInOne(me, [...CALLS, ...TICKETS]) ? [contacts] : []),
        ...(isInOne(me, CALLS) ? [calls] : []),
        ...(isInOne(me, TICKETS) ? [tickets] : []),
      ]
      return (await Promise.all(kinds.map((find) => find(text)))).flat()
    },
  })
}

/** `0041 31 380` and `+41 (31) 380` are the same number to somebody who types it. */
export function digitsOf(text: string): string | undefined {
  const digits = text.replaceAll(/[\s().\-/+]/g, '').replace(/^0+/, '')
  return /^\d{3,15}$/.test(digits) ? digits : undefined
}

async function contacts(text: string): Promise<Hit[]> {
  const digits = digitsOf(text)
  const domain: Domain =
    digits === undefined
      ? ['|', ['name', 'ilike', text], ['email', 'ilike', text]]
      : ['|', ['phone_normalized', 'like', digits], ['mobile_normalized', 'like', digits]]
  const fields = ['name', 'phone', 'mobile', 'email'] as const
  const rows = await searchRead('res.partner', { domain, fields, limit: HITS_PER_KIND })
  return rows.map(({ id, name, phone: number, mobile, email }) => ({
    to: `/contacts/${id}`,
    title: name ?? `#${id}`,
    detail: plain(number ?? mobile ?? email ?? ''),
  }))
}

async function calls(text: string): Promise<Hit[]> {
  const digits = digitsOf(text)
  const domain: Domain | undefined =
    digits === undefined ? sidOf(text) : ['|', ['caller', 'like', digits], ['called', 'like', digits]]
  if (domain === undefined) return []
  const fields = ['name', 'caller', 'called'] as const
  const rows = await searchRead('connect.call', { domain, fields, order: 'id desc', limit: HITS_PER_KIND })
  return rows.map(({ id, name, caller, called }) => ({
    to: `/calls/${id}`,
    title: name ?? `#${id}`,
    detail: `${phone(caller ?? '?')} → ${phone(called ?? '?')}`,
  }))
}

function sidOf(text: string): Domain | undefined {
  if (/^CA[0-9a-f]{32}$/i.test(text)) return [['call_sid', '=', text]]
  return /^conv_\w+$/.test(text) ? [['voiceai_conversation_id', '=', text]] : undefined
}

async function tickets(text: string): Promise<Hit[]> {
  const id = /^#?(\d{1,15})$/.exec(text)?.[1]
  const domain: Domain = id === undefined ? [['name', 'ilike', text]] : [['id', '=', Number(id)]]
  const fields = ['name', 'stage_id', 'partner_name'] as const
  const rows = await searchRead('helpdesk.ticket', { domain, fields, order: 'id desc', limit: HITS_PER_KIND })
  return rows.map(({ id: ticket, name, stage_id: stage, partner_name: partner }) => ({
    to: `/tickets/${ticket}`,
    title: `#${ticket} ${name ?? ''}`,
    detail: [stage?.[1], partner].filter((part) => typeof part === 'string').join(' · '),
  }))
}
