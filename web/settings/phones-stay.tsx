import { useQuery } from '@tanstack/react-query'
import type { Domain } from '../data/client.ts'
import { listQuery } from '../data/queries.ts'
import { phone, plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'

const PHONE_USER = 'connect.user'
const NAMED_MAX = 20

/** Of somebody who is let in no more: the calls that still ring their phones, and where that is changed. */
export function PhonesStay({ user }: { user: number }) {
  const say = useWords('settings')
  const { data: [phones] = [] } = useQuery({
    ...listQuery(PHONE_USER, { domain: [['user', '=', user]], fields: ['id'], limit: 1 }),
    throwOnError: false,
  })
  const ways = useWaysTo(phones?.id)
  if (phones === undefined || ways.length === 0) return null
  return (
    <p>
      {say('phonesStay', { ways: ways.join(', ') })}{' '}
      <a href={`/records/${PHONE_USER}/${phones.id}`} target="_blank" rel="noopener">
        {say('phonesStayWhere')}
      </a>
    </p>
  )
}

/** Numbers, short numbers and menus that lead to a phone user. */
function useWaysTo(id: number | undefined): string[] {
  const toThem: Domain = [
    ['destination', '=', 'user'],
    ['user', '=', id ?? 0],
  ]
  const extended: Domain = [
    ['model', '=', PHONE_USER],
    ['res_id', '=', id ?? 0],
  ]
  const shown = { limit: NAMED_MAX, order: 'id' }
  const when = { enabled: id !== undefined, throwOnError: false }
  const numbers = useQuery({
    ...listQuery('connect.telco.number', { domain: toThem, fields: ['phone_number'], ...shown }),
    ...when,
  })
  const extensions = useQuery({
    ...listQuery('connect.telco.exten', { domain: extended, fields: ['number'], ...shown }),
    ...when,
  })
  const flows = useQuery({
    ...listQuery('connect.telco.callflow', { domain: [['ring_users', 'in', [id ?? 0]]], fields: ['name'], ...shown }),
    ...when,
  })
  return [
    ...(numbers.data ?? []).map(({ phone_number: number }) => phone(number ?? '')),
    ...(extensions.data ?? []).map(({ number }) => plain(number ?? '')),
    ...(flows.data ?? []).map(({ name }) => plain(name ?? '')),
  ]
}
