import { useQuery } from '@tanstack/react-query'
import type { Domain } from '../data/client.ts'
import { listQuery } from '../data/queries.ts'

export const NUMBER = 'connect.telco.number'
const NAMED_MAX = 20
const FIELDS = [
  ...(['phone_number', 'destination', 'user', 'callflow', 'markup', 'voiceai_agent'] as const),
  ...(['closed_exten', 'closed_message'] as const),
]

/** Numbers, what answers them, and what callers hear when they are closed. */
export function useNumbers(domain: Domain, isEnabled: boolean) {
  return useQuery({
    ...listQuery(NUMBER, { domain, fields: FIELDS, order: 'id', limit: NAMED_MAX }),
    enabled: isEnabled,
    throwOnError: false,
  })
}
