import { matchNumbers } from '../../contacts/find-by-number.ts'
import type { Queryable } from '../../database/database.ts'
import { findOwnForms } from '../../directory/own-addresses.ts'
import { toE164 } from '../../phone.ts'
import type { Env } from '../../platform/access/env.ts'
import { records } from '../../platform/records/records.ts'
import { isWithheld } from '../../withheld.ts'
import { lockNumbers } from '../calls/lock-ledger.ts'
import type { ProviderForm } from '../legs/provider-form.ts'
import { countMedia, type IncomingMessage, readIncomingMessage } from './incoming-message.ts'
import { type PlacedMessage, storeIncoming } from './incoming-rows.ts'
import { findMessages, findNumbersOfUsers, type StoredMessage } from './message-rows.ts'
import { type ContactDefaults, type Continued, findSenders } from './message-senders.ts'
import { recordMessageStatuses } from './record-message-status.ts'
import { findPostable, keyOf, type Thread } from './thread.ts'

/**
 * Stores each incoming message once and puts it where it belongs: into the conversation it continues, or on the contact
 * who wrote, made when it is not there yet. News of a message of ours that come the same way are statuses.
 */
export async function recordIncomingMessages(
  env: Env,
  requests: readonly ProviderForm[],
  defaults: ContactDefaults,
): Promise<void> {
  const ours = requests.filter((request) => isOfAccount(env, request))
  const received = ours.filter(isIncoming)
  const messages = await withKnownNumbers(
    env.db,
    await withOwnNumbers(
      env.db,
      received.flatMap((request) => read(env, request) ?? []),
    ),
  )
  // What two processes do about one number they do one after another, and so each message is stored once.
  lockNumbers(
    env.db,
    messages.map(({ from }) => toE164(from, env.settings.country) ?? from),
  )
  const bySid = new Map(messages.toReversed().map((message) => [message.sid, message]))
  for (const round of inRounds(messages.filter((message) => bySid.get(message.sid) === message))) {
    await receive(env, round, defaults)
  }
  await recordMessageStatuses(
    env,
    ours.filter((request) => !isIncoming(request)),
  )
}

/** The provider's words for what comes to us: `receiving` while it still fetches the media. */
const INCOMING = new Set(['received', 'receiving'])
/** Fields that only somebody who writes to us fills in. */
const CONTENT = ['Body', 'Latitude', 'ButtonText', 'ButtonPayload', 'ListId', 'ListTitle'] as const

/** Whether a form is a message that somebody sent to us: it says so, or names no status and has content. */
export function isIncoming({ form }: Pick<ProviderForm, 'form'>): boolean {
  const status = (form.SmsStatus || form.MessageStatus || '').trim().toLowerCase()
  if (status !== '') return INCOMING.has(status)
  return countMedia(form) > 0 || CONTENT.some((name) => (form[name] ?? '').trim() !== '')
}

function isOfAccount(env: Env, { form }: ProviderForm): boolean {
  const { accountSid } = env.settings
  if (accountSid === undefined || form.AccountSid === accountSid) return true
  env.platform.log.warn({ messageSid: form.MessageSid }, 'a message for another account of the provider was ignored')
  return false
}

function read(env: Env, { form }: ProviderForm): IncomingMessage | undefined {
  const message = readIncomingMessage(form)
  if (message === undefined) {
    env.platform.log.warn({ messageSid: form.MessageSid }, 'a message without an id or a party was ignored')
  }
  return message
}

/** Our own number in the form in which we have it, so that the answer goes out from it. */
async function withOwnNumbers(db: Queryable, messages: readonly IncomingMessage[]): Promise<IncomingMessage[]> {
  const ours = await findOwnForms(
    db,
    messages.map(({ to }) => to),
  )
  return messages.map((message) => ({ ...message, to: ours.get(message.to) ?? message.to }))
}

/** Who once showed their number and now only their id is still the same person. */
async function withKnownNumbers(db: Queryable, messages: readonly IncomingMessage[]): Promise<IncomingMessage[]> {
  const hidden = messages.flatMap(({ from, externalUserId: id }) => (id !== null && id === from ? [id] : []))
  if (hidden.length === 0) return [...messages]
  const numbers = await findNumbersOfUsers(db, hidden)
  return messages.map((message) => {
    const number = message.from === message.externalUserId ? numbers.get(message.from) : undefined
    return number === undefined ? message : { ...message, from: number, wireAddress: message.from }
  })
}

/** A message that answers another one of them is received after it. */
function inRounds(messages: readonly IncomingMessage[]): IncomingMessage[][] {
  const rounds: IncomingMessage[][] = []
  let rest = [...messages]
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ sid }) => sid))
    const next = rest.filter(({ sid, repliedSid }) => repliedSid === sid || !waiting.has(repliedSid))
    // Should they answer each other in a circle, none of them is the first.
    rounds.push(next.length > 0 ? next : rest)
    rest = next.length > 0 ? rest.filter((message) => !next.includes(message)) : []
  }
  return rounds
}

async function receive(env: Env, messages: readonly IncomingMessage[], defaults: ContactDefaults): Promise<void> {
  const placed = await place(env, messages, defaults)
  if (placed.length === 0) return
  await storeIncoming(env, placed)
}

/** Those of the messages that are not stored yet, with the record that each belongs to. */
async function place(
  env: Env,
  messages: readonly IncomingMessage[],
  defaults: ContactDefaults,
): Promise<PlacedMessage[]> {
  const [{ bySid, newest }, matches] = await Promise.all([
    findMessages(env.db, {
      sids: messages.map(({ sid }) => sid),
      answered: messages.flatMap(({ repliedSid }) => (repliedSid === '' ? [] : [repliedSid])),
      parties: messages.map(({ from, to }) => ({ from: to, to: from })),
    }),
    matchNumbers(env.db, [...new Set(messages.flatMap(namesOf))], env.settings.country),
  ])
  const fresh = messages.flatMap((message, at) => {
    if (bySid.has(message.sid)) return []
    // What we wrote to another who withheld their number leads nowhere.
    const last = isWithheld(message.from) ? undefined : newest[at]
    const match = namesOf(message).flatMap((name) => matches.get(name) ?? [])[0]
    return [{ message, replied: bySid.get(message.repliedSid), newest: last, match }]
  })
  const threads = fresh.flatMap(({ replied, newest: last }) => [replied?.thread ?? [], last?.thread ?? []].flat())
  const postable = await findPostable(env, threads)
  const continued = fresh.map((each) => ({ ...each, ...continuedBy(each, postable) }))
  for (const { message, match } of fresh) {
    if (match?.contact !== undefined && !matches.has(message.from)) await learnNumber(env, match.contact, message.from)
  }
  return findSenders(env, continued, defaults)
}

/** Who was known by their id on the channel only, and now shows their number, is found by it from here on. */
async function learnNumber(env: Env, contact: number, from: string): Promise<void> {
  if (toE164(from, env.settings.country) === undefined) return
  const partners = records(env, 'res.partner')
  const [known] = await partners.read([contact], ['phone', 'mobile'])
  const free = (['mobile', 'phone'] as const).find((field) => !known?.[field])
  if (free !== undefined) await partners.write([contact], { [free]: from })
}

/** What its sender is known by: their number first, then their id on the channel. */
function namesOf({ from, externalUserId }: IncomingMessage): string[] {
  return externalUserId === null || externalUserId === from ? [from] : [from, externalUserId]
}

/** The conversation that a message continues, and the message it answers; each is undefined where there is none. */
function continuedBy(
  { replied, newest }: { replied: StoredMessage | undefined; newest: StoredMessage | undefined },
  postable: ReadonlySet<string>,
): Pick<Continued, 'thread' | 'parentId'> {
  const isPostable = (thread: Thread | undefined): thread is Thread =>
    thread !== undefined && postable.has(keyOf(thread))
  const thread = [replied?.thread, newest?.thread].find(isPostable)
  return { thread, parentId: replied?.id }
}
