import { type Static, Type } from 'typebox'
import { findContactByNumber } from '../../contacts/find-by-number.ts'
import { requireNoEmergency } from '../../emergency-numbers.ts'
import { Refusal } from '../../errors.ts'
import { findLastWriter, findNewestMessage } from '../../ledger/messages/message-rows.ts'
import { isRcs, mediaPath, messageWriterOf, withoutChannel } from '../../ledger/messages/message-words.ts'
import { requireOptedIn } from '../../ledger/messages/opt-out.ts'
import { insertOutgoing, isWindowOpen, resetToDraft } from '../../ledger/messages/outgoing-message.ts'
import type { SendRef } from '../../ledger/messages/send-ref.ts'
import { mayPost, requirePostable, type Thread } from '../../ledger/messages/thread.ts'
import { cleanText } from '../../lenient-values.ts'
import { conversationNumber, formsOfSubscriber } from '../../number-plans.ts'
import { toE164 } from '../../phone.ts'
import type { Env } from '../../platform/access/env.ts'
import { messagePost } from '../../platform/chatter/chatter.ts'
import { method } from '../../platform/model/model.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { records } from '../../platform/records/records.ts'
import { isUnseen } from '../../unseen.ts'
import { isWithheld } from '../../withheld.ts'
import { plainText } from '../../written-number.ts'
import { takeOutgoing } from '../outgoing/outgoing-limits.ts'
import { requireCredentials } from '../sync/readiness.ts'
import { mediaOfTemplate } from '../whatsapp/template-content.ts'
import { isAnswerable, withoutSeparators } from './answerable.ts'
import { SEND_MESSAGE_JOB } from './deliver-message.ts'
import { findSmsSender, findWhatsAppSender } from './message-sender.ts'

/** The provider takes no longer text (docs/reference/providers.md#message-length). */
const BODY_CHARS_MAX = 1_600
const MEDIA_MAX = 10
/** A name in place of a number, as banks and shops have; nothing can be sent to it. */
const SENDER_NAME = /\p{L}/u

const SendArgs = Type.Object({
  to: Type.String({ minLength: 1, maxLength: 64, description: 'The number to write to.' }),
  body: Type.Optional(Type.String({ maxLength: BODY_CHARS_MAX })),
  message_type: Type.Optional(Type.Union([Type.Literal('sms'), Type.Literal('WhatsApp')])),
  from: Type.Optional(
    Type.String({ maxLength: 64, description: 'One of your numbers. Leave empty to choose automatically.' }),
  ),
  template_id: Type.Optional(Type.Integer({ minimum: 1, description: 'An approved WhatsApp template.' })),
  template_variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  media_urls: Type.Optional(
    Type.Array(Type.String({ maxLength: 2_000, pattern: '^https://' }), { maxItems: MEDIA_MAX }),
  ),
  res_model: Type.Optional(Type.String({ maxLength: 64 })),
  res_id: Type.Optional(Type.Integer({ minimum: 1 })),
})
type SendArgs = Static<typeof SendArgs>

/** Writes a message down as a draft and has it sent; its statuses then show how far it has come. */
export const sendMessage = method({
  label: 'Send a message',
  reply: Type.Integer({ description: 'The message.' }),
  operation: 'create',
  args: SendArgs,
  run: send,
})

/** Has failed messages sent once more; also to somebody who has opted out: the provider knows best whether they still do. */
export const retryMessages = method({
  label: 'Try again',
  reply: Type.Literal(true),
  operation: 'write',
  run: retry,
})

async function send(env: Env, _ids: number[], args: SendArgs): Promise<number> {
  // Better than a draft that waits for somebody to notice what is missing.
  requireCredentials(env.settings)
  const isWhatsApp = args.message_type === 'WhatsApp'
  const { to, wireAddress, rcsSender } = await findReceiver(env, args, isWhatsApp)
  const from = rcsSender ?? (isWhatsApp ? await whatsAppSender(env, args) : await smsSender(env, args, to))
  const content = await readContent(env, args, isWhatsApp)
  await requireOptedIn(env, { type: args.message_type ?? 'sms', ours: from, theirs: to })
  if (isWhatsApp && content.template === undefined) await requireWindow(env, { sender: from, number: to })
  const contact = await findContactByNumber(env.db, to, env.settings.country)
  const thread = await threadOf(env, args, { from, to, contactId: contact?.id })
  await takeOutgoing(env, { kind: 'message', number: messageWriterOf(wireAddress ?? to) })
  const smsType = content.mediaUrls.length > 0 ? 'mms' : 'sms'
  const type = isWhatsApp ? 'WhatsApp' : smsType
  const ref = await insertOutgoing(env, {
    from,
    to,
    wireAddress,
    type,
    body: content.text,
    mediaUrls: content.mediaUrls,
    content: content.template,
    partnerId: contact?.id ?? (thread?.model === 'res.partner' ? thread.id : undefined),
    thread,
  })
  if (thread !== undefined) {
    const links = linksOf(content, ref.id)
    const post = { model: thread.model, id: thread.id, text: content.text, links, type } as const
    await messagePost(env, { ...post, subtype: 'comment', connectMessage: ref.id })
  }
  await enqueueSending(env, ref)
  return ref.id
}

/** What a template shows lies where its author put it: people reach it by our own address. */
function linksOf({ mediaUrls, template }: Content, message: number): string[] {
  return template === undefined ? mediaUrls : mediaUrls.map((_url, at) => mediaPath(message, at))
}

async function retry(env: Env, ids: number[]): Promise<true> {
  if (ids.length === 0) throw new Refusal('refused', 'api-argument-ids-names-no-message')
  requireCredentials(env.settings)
  const fields = ['from_number', 'to_number', 'message_type', 'content_sid']
  for (const message of await records(env, 'connect.message').read(ids, fields)) {
    const ref = await resetToDraft(env, message.id)
    if (ref === undefined) throw new Refusal('conflict', 'only-message-could-not-delivered-can')
    if (message.message_type === 'WhatsApp' && message.content_sid === null) {
      await requireWindow(env, { sender: String(message.from_number), number: String(message.to_number) })
    }
    await takeOutgoing(env, { kind: 'message', number: String(message.to_number) })
    await enqueueSending(env, ref)
  }
  return true
}

async function enqueueSending(env: Env, ref: SendRef): Promise<void> {
  await env.platform.enqueue(env.db, { name: SEND_MESSAGE_JOB, payload: ref })
  await notifyChanged(env, 'connect.message', [ref.id])
}

interface Receiver {
  /** As their messages are stored, so that all are one conversation. */
  to: string
  wireAddress: string | null
  /** Our own address on RCS, to which they wrote. */
  rcsSender: string | undefined
}

/**
 * An answer goes to the address that wrote, whatever a library takes it for; who never wrote is written to by number. Who writes both
 * by SMS and on RCS is answered the way that the sender says, else the way of the newest message.
 */
async function findReceiver(env: Env, { to: written, from }: SendArgs, isWhatsApp: boolean): Promise<Receiver> {
  const bare = messageWriterOf(plainText(written))
  const number = toE164(bare, env.settings.country)
  const addresses = addressesOf(bare, number)
  const writer = await findLastWriter(env.db, { addresses, isWhatsApp, ...wayOf(written, from?.trim() ?? '') })
  const to = writer?.from_number ?? (number === undefined ? bare : conversationNumber(number))
  if (writer === undefined) requireNoEmergency(bare, env.settings.country)
  requireAnswerable(writer?.wire_address ?? to, isWhatsApp)
  if (writer === undefined) return { to, wireAddress: number === to ? null : (number ?? null), rcsSender: undefined }
  return {
    to,
    wireAddress: writer.wire_address,
    rcsSender: isRcs(writer.wire_address ?? '') ? writer.to_number : undefined,
  }
}

/** Every address from which the one who is meant may have written. */
function addressesOf(bare: string, number: string | undefined): string[] {
  const forms = number === undefined ? [] : [...formsOfSubscriber(number), conversationNumber(number)]
  return [bare, withoutSeparators(bare), ...forms]
}

/** On RCS (docs/reference/providers.md#rcs) only from the agent that they wrote to, and not on RCS from a number; without a sender either way. */
function wayOf(to: string, from: string): { ours?: string; isRcs?: boolean } {
  if (isRcs(from)) return { isRcs: true, ours: from }
  if (isRcs(to)) return { isRcs: true }
  return from === '' ? {} : { isRcs: false }
}

function requireAnswerable(address: string, isWhatsApp: boolean): void {
  if (isAnswerable(address, isWhatsApp)) return
  const bare = messageWriterOf(address)
  if (isWithheld(bare)) throw new Refusal('refused', 'number-withheld-write')
  if (!SENDER_NAME.test(bare) || /[:@\s]/.test(bare)) {
    throw new Refusal('refused', 'api-argument-must-phone-number')
  }
  throw new Refusal('refused', 'sender-name-cannot-be-answered', { name: bare })
}

async function whatsAppSender(env: Env, { from }: SendArgs): Promise<string> {
  const sender = await findWhatsAppSender(env, namedSender(env, from))
  if (sender !== undefined) return sender
  throw new Refusal('refused', 'no-whatsapp-sender-online-not-one')
}

async function smsSender(env: Env, { from }: SendArgs, to: string): Promise<string> {
  const sender = await findSmsSender(env, to, namedSender(env, from))
  if (sender !== undefined) return sender
  throw new Refusal('refused', 'no-number-ours-send-from-one')
}

function namedSender(env: Env, from: string | undefined): string | undefined {
  if (from === undefined || from.trim() === '') return undefined
  const bare = withoutChannel(plainText(from))
  return toE164(bare, env.settings.country) ?? bare
}

interface Content {
  text: string
  template: FilledTemplate | undefined
  mediaUrls: string[]
}

async function readContent(env: Env, args: SendArgs, isWhatsApp: boolean): Promise<Content> {
  const mediaUrls = args.media_urls ?? []
  if (args.template_id !== undefined) {
    if (!isWhatsApp) throw new Refusal('refused', 'templates-for-whatsapp-messages')
    const template = await fillTemplate(env, args.template_id, args.template_variables ?? {})
    return { text: template.text, template, mediaUrls: template.mediaUrls }
  }
  const text = cleanText(args.body ?? '').trim()
  if (isUnseen(text) && mediaUrls.length === 0) throw new Refusal('refused', 'api-argument-body-empty')
  return { text, template: undefined, mediaUrls }
}

async function requireWindow(env: Env, parties: { sender: string; number: string }): Promise<void> {
  if (await isWindowOpen(env, parties)) return
  throw new Refusal('refused', 'has-not-written-on-whatsapp-within', { number: parties.number })
}

/** The record that the message is about: the one named, else the one the conversation is on, else the contact. */
async function threadOf(
  env: Env,
  { res_model: model, res_id: id }: SendArgs,
  { from, to, contactId }: { from: string; to: string; contactId: number | undefined },
): Promise<Thread | undefined> {
  if (model !== undefined && id !== undefined) {
    await requirePostable(env, { model, id })
    return { model, id }
  }
  const [sent, received] = [
    await findNewestMessage(env.db, { from, to }),
    await findNewestMessage(env.db, { from: to, to: from }),
  ]
  const newest = (sent?.id ?? 0) > (received?.id ?? 0) ? sent : received
  if (newest?.thread !== undefined && (await mayPost(env, newest.thread))) return newest.thread
  return contactId === undefined ? undefined : { model: 'res.partner', id: contactId }
}

/** A template as it goes to the provider, and the text that it stands for. */
interface FilledTemplate {
  sid: string
  variables: Record<string, string> | undefined
  text: string
  /** What it shows; the provider has it already. */
  mediaUrls: string[]
}

const WEB_ADDRESS = /^https?:\/\/[^\s{}]{1,2000}$/i
const PLACEHOLDER = /\{\{\s*([\w.-]{1,64})\s*\}\}/g

/** Fills a template that the provider has approved. Throws a refusal for one that cannot be sent. */
async function fillTemplate(env: Env, id: number, given: Record<string, unknown>): Promise<FilledTemplate> {
  const [template] = await records(env, 'connect.message_content_template').read(
    [id],
    ['friendly_name', 'sid', 'status', 'body', 'variables', 'content_type', 'actions', 'media'],
  )
  if (template?.status !== 'approved' || typeof template.sid !== 'string' || template.sid === '') {
    throw new Refusal('refused', 'template-not-approved-so-cannot-sent', {
      friendly_name: String(template?.friendly_name),
    })
  }
  const variables = { ...textsOf(template.variables), ...textsOf(given) }
  const body = typeof template.body === 'string' ? template.body : ''
  const filled = (text: string): string =>
    text.replaceAll(PLACEHOLDER, (whole, name: string) =>
      Object.hasOwn(variables, name) ? (variables[name] ?? '') : whole,
    )
  const held = { type: String(template.content_type), actions: listOf(template.actions), media: listOf(template.media) }
  return {
    sid: template.sid,
    variables: Object.keys(variables).length === 0 ? undefined : variables,
    text: filled(body),
    mediaUrls: mediaOfTemplate(held)
      .map(filled)
      .filter((url) => WEB_ADDRESS.test(url))
      .slice(0, MEDIA_MAX),
  }
}

function listOf(value: unknown): unknown[] | null {
  return Array.isArray(value) ? value : null
}

function textsOf(values: unknown): Record<string, string> {
  if (typeof values !== 'object' || values === null) return {}
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value ?? '')]))
}
