/** What became of a webhook, in a word or two; pure. */
import type { Row } from '../data/client.ts'
import type { Keys } from '../words/keys.ts'

type Judged = Pick<Row<'connect.delivery', 'verdict' | 'reason'>, 'verdict' | 'reason'>

/** What the reasons of the service speak of, in the order in which it decides. */
const REASONS: readonly { speaks: RegExp; key: Keys['deliveries'] }[] = [
  { speaks: /^Telco requires HTTPS/, key: 'plainHttp' },
  { speaks: /signature/i, key: 'badSignature' },
  { speaks: /agent[ -]token/i, key: 'badToken' },
]

/** One that was rejected says for what: the address, the signature or the token of the agent. */
export function verdictKey({ verdict, reason }: Judged): Keys['deliveries'] | undefined {
  if (verdict !== 'rejected') return verdict ?? undefined
  return REASONS.find(({ speaks }) => speaks.test(reason ?? ''))?.key ?? 'rejected'
}
