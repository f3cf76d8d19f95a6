import { type Act, act } from '../../people.ts'
import type { WireRecord } from '../store.ts'
import type { Carrier } from './carrier.ts'
import { type Entry, entryOfApplication, entryOfDomain, entryOfNumber } from './entry.ts'
import type { Leg } from './leg.ts'
import { runCall } from './run-document.ts'

/** How a call went, seen from the caller's end. */
export interface CallResult {
  readonly sid: string
  readonly status: string
  readonly durationSeconds: number
  /** Everything that the caller heard, in order. */
  readonly heard: readonly string[]
  /** Ids of the legs that were opened for it. */
  readonly childSids: readonly string[]
}

interface Caller {
  readonly from: string
  readonly acts: readonly Act[]
}

/** Somebody calls a number of the account, by telephone or (with `whatsapp:`) by WhatsApp. */
export async function callNumber(carrier: Carrier, { from, to, acts }: Caller & { to: string }): Promise<CallResult> {
  const { account } = carrier
  if (to.startsWith('whatsapp:')) {
    const sender = required(account.senders.findWhere('sender_id', to), `${to} is no WhatsApp sender`)
    const { voice_application_sid: sid } = sender.configuration as { voice_application_sid?: string }
    const application = required(account.applications.find(sid ?? ''), `${to} has no voice application`)
    return receive(carrier, { from, to, acts, entry: entryOfApplication(application) })
  }
  const number = required(account.numbers.findWhere('phone_number', to), `${to} is no number of the account`)
  return receive(carrier, { from, to, acts, entry: entryOfNumber(account, number) })
}

/** A registered SIP phone dials: its domain is asked. */
export async function callFromSipPhone(
  carrier: Carrier,
  { user, domain, dialled, acts }: { user: string; domain: string; dialled: string; acts: readonly Act[] },
): Promise<CallResult> {
  const { account } = carrier
  const record = required(account.domains.findWhere('domain_name', domain), `there is no SIP domain ${domain}`)
  requireCredential(carrier, record, user)
  const entry = entryOfDomain(record, {
    SipDomain: domain,
    SipDomainSid: record.sid,
    SipCallId: `${crypto.randomUUID()}@203.0.113.10`,
    SipSourceIp: '203.0.113.10',
    SipUsername: user,
  })
  return receive(carrier, { from: `sip:${user}@${domain}`, to: `sip:${dialled}@${domain}`, acts, entry })
}

/** A web phone dials through an application; its parameters arrive as they are. */
export async function callFromWebPhone(
  carrier: Carrier,
  options: {
    identity: string
    applicationSid: string
    parameters: Readonly<Record<string, string>>
    acts: readonly Act[]
  },
): Promise<CallResult> {
  const { identity, applicationSid, parameters, acts } = options
  const application = required(
    carrier.account.applications.find(applicationSid),
    `there is no application ${applicationSid}`,
  )
  const { To: to = '', ...extras } = parameters
  const entry = entryOfApplication(application)
  return receive(carrier, {
    from: `client:${identity}`,
    to,
    acts,
    entry: { ...entry, extras: { ...entry.extras, ...extras } },
  })
}

async function receive(
  carrier: Carrier,
  { from, to, acts, entry }: Caller & { to: string; entry: Entry },
): Promise<CallResult> {
  const { subscription, extras, document } = entry
  const leg = carrier.openLeg({ direction: 'inbound', from, to, subscription, extras })
  const calling = act(leg.handset, acts, { name: from, problems: carrier.problems })
  await runCall(carrier, leg, document)
  await calling
  await carrier.webhooks.settled(leg.sid)
  return resultOf(carrier, leg)
}

/** How a call went so far. */
export function resultOf(carrier: Carrier, leg: Leg): CallResult {
  return {
    sid: leg.sid,
    status: leg.status,
    durationSeconds: leg.durationSeconds,
    heard: leg.handset.log,
    childSids: carrier.childrenOf(leg).map(({ sid }) => sid),
  }
}

/** A phone without a credential in a list that is mapped to its domain for calls is refused with 403. */
function requireCredential({ account }: Carrier, domain: WireRecord, username: string): void {
  const lists = account.callMappings
    .list()
    .filter((mapping) => mapping.domain_sid === domain.sid)
    .map((mapping) => mapping.list_sid)
  const isKnown = account.credentials
    .list()
    .some((credential) => credential.username === username && lists.includes(credential.credential_list_sid))
  if (!isKnown) throw new Error(`the SIP phone ${username} has no credential at ${String(domain.domain_name)}`)
}

function required<Value>(value: Value | undefined, otherwise: string): Value {
  if (value === undefined) throw new Error(otherwise)
  return value
}
