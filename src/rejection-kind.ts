/** What a webhook was rejected for: its address, its signature or the token of the agent; else nothing showed who sent it. */
export type RejectionKind = 'plain_http' | 'signature' | 'token' | 'unverified'

/** What the reasons of the service speak of, in the order in which it decides. */
const KINDS: readonly { speaks: RegExp; kind: RejectionKind }[] = [
  { speaks: /^Telco requires HTTPS/, kind: 'plain_http' },
  { speaks: /signature/i, kind: 'signature' },
  { speaks: /agent[ -]token/i, kind: 'token' },
]

/** By the reason that is logged with the delivery; the page says it too. */
export function rejectionKind(reason: string | null | undefined): RejectionKind {
  return KINDS.find(({ speaks }) => speaks.test(reason ?? ''))?.kind ?? 'unverified'
}
