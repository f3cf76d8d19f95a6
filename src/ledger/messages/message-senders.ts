import { Refusal } from '../../errors.ts'
import { toContactKey, toE164 } from '../../phone.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Values } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { isWithheld } from '../../withheld.ts'
import type { IncomingMessage } from './incoming-message.ts'
import type { PlacedMessage } from './incoming-rows.ts'
import { findEarlierContacts } from './message-rows.ts'
import type { Thread } from './thread.ts'

const PHONE_CHARS_MAX = 100
/** What a contact is called who wrote without a number to be known by. */
const WITHHELD_NAME = 'Number withheld'

/** Values that a contact gets who writes to one of these numbers for the first time, by the number. */
export type ContactDefaults = (env: Env, numbers: readonly string[]) => Promise<ReadonlyMap<string, Values>>

/** A message, with the conversation that it continues, where there is one. */
export interface Continued {
  readonly message: IncomingMessage
  readonly thread: Thread | undefined
  /** The message that it answers. */
  readonly parentId: number | undefined
  /** Who has the number of the sender. */
  readonly match: { readonly contact: number | undefined; readonly oldest: number } | undefined
}

/**
 * The contact of each message, and the contact as the record of those that continue no conversation; made when nobody has that
 * number yet. The caller has locked the numbers.
 */
export async function findSenders(
  env: Env,
  messages: readonly Continued[],
  defaults: ContactDefaults,
): Promise<PlacedMessage[]> {
  const unknown = messages.filter((each) => each.thread === undefined && each.match?.contact === undefined)
  const senders = unknown.length === 0 ? new Map() : await findOrCreateSenders(env, unknown, defaults)
  return messages.map(({ message, thread, parentId, match }) => {
    const partnerId = match?.contact ?? contactOf(thread) ?? senders.get(senderOf(env, message))
    return { message, parentId, partnerId, thread: thread ?? { model: 'res.partner', id: partnerId ?? 0 } }
  })
}

function contactOf(thread: Thread | undefined): number | undefined {
  return thread?.model === 'res.partner' ? thread.id : undefined
}

/**
 * One text for each sender: a name or a short code is somebody else for each number that it writes to, and somebody who withholds
 * their number for each message.
 */
function senderOf(env: Env, { from, to, sid }: IncomingMessage): string {
  if (isWithheld(from)) return sid
  return toContactKey(from, env.settings.country) ?? `${from} ${to}`
}

/** The contacts of senders, by sender; several companies may share a number, then it is the oldest contact's. */
async function findOrCreateSenders(
  env: Env,
  messages: readonly Continued[],
  defaults: ContactDefaults,
): Promise<Map<string, number>> {
  const firsts = new Map(messages.toReversed().map((each) => [senderOf(env, each.message), each]))
  const found = new Map(
    [...firsts].flatMap(([sender, { match }]) => (match === undefined ? [] : [[sender, match.oldest]])),
  )
  // A name or a short code is no number to find a contact by; what it wrote before is.
  const named = [...firsts].filter(([sender, { message }]) => !found.has(sender) && isNoNumber(env, message))
  const earlier = await findEarlierContacts(
    env.db,
    named.map(([, { message }]) => message),
  )
  for (const [at, [sender]] of named.entries()) {
    const contact = earlier[at]
    if (contact !== undefined) found.set(sender, contact)
  }
  const missing = [...firsts].filter(([sender]) => !found.has(sender)).toReversed()
  if (missing.length === 0) return found
  const values = await defaults(
    env,
    missing.map(([, { message }]) => message.to),
  )
  for (const [sender, { message }] of missing) {
    found.set(sender, await createSender(env, message.from, values.get(message.to) ?? {}))
  }
  return found
}

function isNoNumber(env: Env, { from }: IncomingMessage): boolean {
  return !isWithheld(from) && toE164(from, env.settings.country) === undefined
}

async function createSender(env: Env, from: string, values: Values): Promise<number> {
  const own = isWithheld(from) ? {} : { phone: from.slice(0, PHONE_CHARS_MAX) }
  const name = isWithheld(from) ? WITHHELD_NAME : from
  const partners = records(env, 'res.partner')
  try {
    return only(await partners.create([{ name, ...values, ...own }]))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // A mistake in the configuration must not cost the message.
    env.platform.log.warn({ reason: error.message }, 'the default values of a message configuration are not usable')
    return only(await partners.create([{ name, ...own }]))
  }
}

function only([id]: readonly number[]): number {
  if (id === undefined) throw new Error('the contact was not created')
  return id
}
