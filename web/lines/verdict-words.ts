/** What became of a webhook, in a word or two; pure. */
import { type RejectionKind, rejectionKind } from '../../src/rejection-kind.ts'
import type { Row } from '../data/client.ts'
import type { Keys } from '../words/keys.ts'

type Judged = Pick<Row<'connect.delivery', 'verdict' | 'reason'>, 'verdict' | 'reason'>

const REJECTED: Readonly<Record<RejectionKind, Keys['deliveries']>> = {
  plain_http: 'plainHttp',
  signature: 'badSignature',
  token: 'badToken',
  unverified: 'rejected',
}

/** One that was rejected says for what. */
export function verdictKey({ verdict, reason }: Judged): Keys['deliveries'] | undefined {
  return verdict === 'rejected' ? REJECTED[rejectionKind(reason)] : (verdict ?? undefined)
}
