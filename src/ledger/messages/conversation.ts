import { Type } from 'typebox'
import { Refusal } from '../../errors.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { tellPresent } from '../../platform/live/presence.ts'
import { char, datetime, integer, many2one, one2many, selection } from '../../platform/model/fields.ts'
import { defineModel, method } from '../../platform/model/model.ts'
import { notifyPeople } from '../../platform/notices/notice.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { records } from '../../platform/records/records.ts'
import { closeConversations, readConversations, reopenConversations, showTo } from './conversation-rows.ts'
import { READERS_OF_CONVERSATIONS } from './message-readers.ts'

/** Which way a conversation goes on, whether there was a picture in it or not. */
const CHANNELS = [['sms', 'SMS'], 'WhatsApp'] as const

const RO = { readonly: true } as const
/** Bookkeeping. */
const INSIDE = { readonly: true, groups: [], isRecordId: true } as const

/** What one of our numbers and one other number write each other. Who sees it reads all that was sent in it. */
export const conversationModel = defineModel({
  name: 'connect.conversation',
  label: 'Message thread',
  comesWithDeliveries: true,
  order: 'id desc',
  display: {
    columns: ['channel', 'theirs'],
    show: ({ channel, theirs }) => `${channel === 'sms' ? 'SMS' : channel} with ${theirs}`,
  },
  fields: {
    channel: selection('Channel', CHANNELS, { ...RO, required: true }),
    ours: char('Our number', { ...RO, required: true }),
    theirs: char('Their number', { ...RO, required: true }),
    partner: many2one('Contact', 'res.partner', RO),
    assigned: many2one('Assigned to', 'res.users', { ...RO, isIndexed: 'where present' }),
    closed_at: datetime('Closed', { ...RO, help: 'Their next message reopens it.' }),
    opted_out_at: datetime('Opted out (STOP)', {
      ...RO,
      help: 'They opted out of this number with STOP. Empty again once they send START.',
    }),
    last_incoming_at: datetime('Last message from them', RO),
    last_message: integer('Newest message', INSIDE),
    last_open: integer('Newest message that nobody of us wrote', INSIDE),
    last_incoming: integer('Newest incoming message', INSIDE),
    settled_up_to: integer('Closed up to this message', {
      ...INSIDE,
      help: 'For everybody: nothing up to it is unread or waits as failed.',
    }),
    readers: one2many('Readers', 'connect.conversation.reader', 'conversation', { groups: [], readonly: true }),
  },
  indexes: [
    { columns: ['theirs', 'ours', 'channel'], isUnique: true },
    // Each new message writes its conversation into every index, so it is in one of these two and not in one of all as well.
    { columns: ['last_message', 'id'], where: 'closed_at is null' },
    { columns: ['last_message'], where: 'closed_at is not null' },
  ],
  rules: READERS_OF_CONVERSATIONS,
  methods: {
    mark_read: method({
      label: 'Mark as read',
      operation: 'read',
      reply: Type.Literal(true),
      run: markRead,
    }),
    answering: method({
      label: 'Say that I am answering',
      operation: 'read',
      args: Type.Object({
        is_over: Type.Optional(Type.Boolean({ description: 'They have sent it, or write no more.' })),
      }),
      reply: Type.Literal(true),
      run: answering,
    }),
    assign: method({
      label: 'Assign',
      operation: 'read',
      args: Type.Object({
        user: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description: 'Leave empty to unassign.' }),
      }),
      reply: Type.Literal(true),
      run: assign,
    }),
    close: method({
      label: 'Close',
      operation: 'read',
      reply: Type.Literal(true),
      run: close,
    }),
    reopen: method({
      label: 'Reopen',
      operation: 'read',
      reply: Type.Literal(true),
      run: reopen,
    }),
  },
})

/** How far each person has read each conversation, and what they last wrote in it. */
export const readerModel = defineModel({
  name: 'connect.conversation.reader',
  label: 'Thread reader',
  order: 'id desc',
  display: { columns: ['id'], show: ({ id }) => `Reader ${id}` },
  fields: {
    conversation: many2one('Conversation', 'connect.conversation', {
      ...RO,
      required: true,
      onDelete: 'cascade',
      isIndexed: false,
    }),
    user: many2one('Person', 'res.users', { ...RO, required: true, onDelete: 'cascade', isIndexed: false }),
    read_up_to: integer('Read up to this message', { ...RO, isRecordId: true }),
    own_last: integer('Own newest message', { ...RO, isRecordId: true }),
  },
  indexes: [{ columns: ['conversation', 'user'], isUnique: true }, { columns: ['user', 'own_last'] }],
  rules: [GROUP.connectUser, GROUP.connectAdmin].map((group) => ({
    group,
    domain: ({ userId }) => [['user', '=', userId]],
  })),
})

async function markRead(env: Env, ids: number[]): Promise<true> {
  const changed = await readConversations(env.db, { ids: some(ids), userId: env.identity.userId })
  if (changed.length > 0) await notifyChanged(env, readerModel.name, changed)
  return true
}

/** Colleagues who see the conversation hear of it for some seconds; nothing is stored. */
async function answering(env: Env, ids: number[], { is_over: isOver = false }: { is_over?: boolean }): Promise<true> {
  await tellPresent(env, { model: conversationModel.name, ids: some(ids), isOver })
  return true
}

async function assign(env: Env, ids: number[], { user }: { user: number | null }): Promise<true> {
  if (user !== null) await requireColleague(env, user)
  // Only these methods write conversations: anyone who may see one may hand it on, and the record rules were asked.
  await records(elevated(env), conversationModel.name).write(some(ids), { assigned: user })
  if (user === null) return true
  await showTo(env.db, { ids, userId: user })
  for (const id of ids)
    notifyPeople(env, { kind: 'assigned', ref: { model: conversationModel.name, id }, users: [user] })
  return true
}

async function requireColleague(env: Env, id: number): Promise<void> {
  const groups = [GROUP.connectUser, GROUP.connectAdmin]
  const [found] = await records(elevated(env), 'res.users').search(
    [
      ['id', '=', id],
      ['group_ids.external_id', 'in', groups],
    ],
    { limit: 1 },
  )
  if (found === undefined) throw new Refusal('refused', 'api-argument-user-must-name-somebody-who')
}

async function close(env: Env, ids: number[]): Promise<true> {
  await closeConversations(env, some(ids))
  await notifyChanged(env, conversationModel.name, ids)
  return true
}

async function reopen(env: Env, ids: number[]): Promise<true> {
  await reopenConversations(env, some(ids))
  await notifyChanged(env, conversationModel.name, ids)
  return true
}

function some(ids: number[]): number[] {
  if (ids.length === 0) throw new Refusal('refused', 'api-argument-ids-names-no-conversation')
  return ids
}
