import { findContactByNumber, findOldestByNumber } from '../../contacts/find-by-number.ts'
import { Refusal } from '../../errors.ts'
import { toE164 } from '../../phone.ts'
import type { Env } from '../../platform/access/env.ts'
import { messagePost } from '../../platform/chatter/chatter.ts'
import type { Values } from '../../platform/model/model.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { records } from '../../platform/records/records.ts'
import { lockNumber } from '../calls/lock-ledger.ts'
import type { ProviderForm } from '../legs/provider-form.ts'
import { type IncomingMessage, readIncomingMessage } from './incoming-message.ts'
import { locationText, mapUrl } from './message-parts.ts'
import { findEarlierContact, findMessageBySid, findNewestMessage, insertIncoming, setThread } from './message-rows.ts'
import { recordMessageStatuses } from './record-message-status.ts'
import { mayPost, type Thread } from './thread.ts'

const PHONE_CHARS_MAX = 100

/** Values that a contact gets who writes to the number for the first time. */
type ContactDefaults = (env: Env, number: string) => Promise<Values>

/**
 * Stores each incoming message once and puts it where it belongs: into the conversation it continues, or on the contact
 * who wrote, made when it is not there yet. News of a message of ours that come the same way are statuses.
 */
export async function recordIncomingMessages(
  env: Env,
  requests: readonly ProviderForm[],
  defaults: ContactDefaults,
): Promise<void> {
  for (const request of requests) await recordIncomingMessage(env, request, defaults)
}

async function recordIncomingMessage(env: Env, request: ProviderForm, defaults: ContactDefaults): Promise<void> {
  const { form } = request
  const { accountSid } = env.settings
  if (accountSid !== undefined && form.AccountSid !== accountSid) {
    env.platform.log.warn({ messageSid: form.MessageSid }, 'a message for another account of the provider was ignored')
    return
  }
  if (form.SmsStatus !== 'received') return recordMessageStatuses(env, [request])
  const message = readIncomingMessage(form)
  if (message === undefined) {
    env.platform.log.warn({ messageSid: form.MessageSid }, 'a message without an id or a party was ignored')
    return
  }
  const id = await insertIncoming(env, message)
  if (id === undefined) return
  await post(env, id, message, defaults)
  await notifyChanged(env, 'connect.message', [id])
}

async function post(env: Env, id: number, message: IncomingMessage, defaults: ContactDefaults): Promise<void> {
  const [found, sender] = await Promise.all([
    findThread(env, message),
    findContactByNumber(env.db, message.from, env.settings.country),
  ])
  const { parentId } = found
  const partnerId = sender?.id ?? contactOf(found.thread)
  const thread = found.thread ?? (await threadOfContact(env, message, { partnerId, defaults }))
  const author = partnerId ?? contactOf(thread)
  setThread(env.db, id, { thread, parentId, partnerId: author })
  await messagePost(env, {
    model: thread.model,
    id: thread.id,
    text: postText(message),
    links: [...message.media.map(({ url }) => url), ...(message.location ? [mapUrl(message.location)] : [])],
    type: message.type,
    subtype: 'comment',
    authorId: author,
    connectMessage: id,
  })
}

/** The conversation that a message continues, and the message it answers; each is undefined where there is none. */
async function findThread(
  env: Env,
  { from, to, repliedSid }: IncomingMessage,
): Promise<{ thread: Thread | undefined; parentId: number | undefined }> {
  const replied = repliedSid === '' ? undefined : await findMessageBySid(env.db, repliedSid)
  if (replied?.thread !== undefined && (await mayPost(env, replied.thread))) {
    return { thread: replied.thread, parentId: replied.id }
  }
  const newest = await findNewestMessage(env.db, { from: to, to: from })
  const thread = newest?.thread !== undefined && (await mayPost(env, newest.thread)) ? newest.thread : undefined
  return { thread, parentId: replied?.id }
}

/** What the post says: the text, and what was shared or chosen beside it where that is something else. */
function postText({ body, location, chosen }: IncomingMessage): string {
  const lines = [body, location === undefined ? '' : locationText(location), chosen?.title ?? '']
  return [...new Set(lines.filter((line) => line.trim() !== ''))].join('\n\n')
}

async function threadOfContact(
  env: Env,
  message: IncomingMessage,
  { partnerId, defaults }: { partnerId: number | undefined; defaults: ContactDefaults },
): Promise<Thread> {
  const id = partnerId ?? (await findOrCreateSender(env, message, await defaults(env, message.to)))
  return { model: 'res.partner', id }
}

function contactOf(thread: Thread | undefined): number | undefined {
  return thread?.model === 'res.partner' ? thread.id : undefined
}

/** The contact who wrote; made with `values` when nobody has that number yet. */
async function findOrCreateSender(env: Env, sender: IncomingMessage, values: Values): Promise<number> {
  const number = toE164(sender.from, env.settings.country)
  // Two first messages of one number at once: the second waits here and then finds the first one's contact.
  lockNumber(env.db, number ?? sender.from)
  const known =
    number === undefined
      ? // A name or a short code is no number to find a contact by; what it wrote before is.
        await findEarlierContact(env.db, sender)
      : await findOldestByNumber(env.db, number)
  return known ?? (await createSender(env, sender.from, values))
}

async function createSender(env: Env, from: string, values: Values): Promise<number> {
  const own = { phone: from.slice(0, PHONE_CHARS_MAX) }
  const partners = records(env, 'res.partner')
  try {
    return only(await partners.create([{ name: from, ...values, ...own }]))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // A mistake in the configuration must not cost the message.
    env.platform.log.warn({ reason: error.message }, 'the default values of a message configuration are not usable')
    return only(await partners.create([{ name: from, ...own }]))
  }
}

function only([id]: readonly number[]): number {
  if (id === undefined) throw new Error('the contact was not created')
  return id
}
