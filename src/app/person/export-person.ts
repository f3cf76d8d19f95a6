import { Type } from 'typebox'
import { Refusal } from '../../errors.ts'
import { mediaUrls } from '../../ledger/messages/message-words.ts'
import { type Env, elevated, type OpenEnv } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { ATTACHMENT_PATH } from '../../platform/attachments/attachment.ts'
import { outsideMethod } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { withoutMediaAddresses } from '../../telco/client/media-address.ts'
import { findPersonOfContact } from './person-of-contact.ts'
import { queriesOf } from './queries-of.ts'
import { findTraces } from './traces.ts'

/** Records of one kind; who has more is not a person but an exchange. */
const ROWS_MAX = 10_000
/** Rows that one transaction reads: nobody waits for an exchange's worth of them. */
const ROWS_AT_ONCE = 250
/** Where their bytes are. */
const FILES = {
  'connect.recording': '/connect/recording/',
  'connect.voicemail': '/connect/voicemails/',
  'connect.attachment': ATTACHMENT_PATH,
}

/** Where a provider keeps media, and we: their bytes are reached by our own routes. */
const AT_PROVIDER: Readonly<Record<string, readonly string[]>> = {
  'connect.call': ['voicemail_url'],
  'connect.recording': ['media_ref', 'media_url'],
  'connect.voicemail': ['media_ref', 'url'],
  'connect.message': ['media_url'],
  'connect.attachment': ['media_ref'],
}
/** What came is stored as it came, addresses at the provider and all. */
const AS_IT_CAME = ['body', 'reply', 'target']

/** Everything there is of a person in one JSON, for the person who asks what is stored about them; audio by its address. */
export const exportPerson = outsideMethod({
  label: 'Export a person',
  operation: 'read',
  groups: [GROUP.connectAdmin],
  reply: Type.Record(Type.String(), Type.Unknown()),
  async runOutside(open, ids) {
    const [id, ...others] = ids
    const person =
      id === undefined || others.length > 0 ? undefined : await open(({ db }) => findPersonOfContact(db, id))
    if (person === undefined) throw new Refusal('refused', 'api-one-exported')
    const { calls, messages, tickets, meetings } = await findTraces(queriesOf(open), person)
    const { contacts } = person
    return {
      contact: await rowsAmong(open, 'res.partner', { column: 'id', ids: contacts }),
      calls: await rowsAmong(open, 'connect.call', { column: 'id', ids: calls }),
      legs: await rowsAmong(open, 'connect.channel', { column: 'call', ids: calls }),
      recordings: await recordingsOf(open, contacts, calls),
      voicemails: await rowsAmong(open, 'connect.voicemail', { column: 'call', ids: calls }),
      messages: await rowsAmong(open, 'connect.message', { column: 'id', ids: messages }),
      tickets: await rowsAmong(open, 'helpdesk.ticket', { column: 'id', ids: tickets }),
      meetings: await rowsAmong(open, 'calendar.event', { column: 'id', ids: meetings }),
      notes: {
        contact: await notesOn(open, 'res.partner', contacts),
        calls: await notesOn(open, 'connect.call', calls),
        tickets: await notesOn(open, 'helpdesk.ticket', tickets),
        meetings: await notesOn(open, 'calendar.event', meetings),
      },
      files: [
        ...(await filesOn(open, 'res.partner', contacts)),
        ...(await filesOn(open, 'connect.call', calls)),
        ...(await filesOn(open, 'helpdesk.ticket', tickets)),
        ...(await filesOn(open, 'calendar.event', meetings)),
      ],
      deliveries: await rowsAmong(open, 'connect.delivery', { column: 'call_ref', ids: calls }),
    }
  },
})

/** Of calls, and those of the contacts themselves. */
async function recordingsOf(open: OpenEnv, contacts: readonly number[], calls: readonly number[]): Promise<ShownRow[]> {
  const all = [
    ...(await rowsAmong(open, 'connect.recording', { column: 'partner', ids: contacts })),
    ...(await rowsAmong(open, 'connect.recording', { column: 'call', ids: calls })),
  ]
  return [...new Map(all.map((row) => [row.id, row])).values()].sort((one, other) => one.id - other.id)
}

function notesOn(open: OpenEnv, model: string, ids: readonly number[]): Promise<ShownRow[]> {
  return rowsAmong(open, 'mail.message', { column: 'res_id', ids, also: [['model', '=', model]] })
}

/** What is attached to notes. */
function filesOn(open: OpenEnv, model: string, ids: readonly number[]): Promise<ShownRow[]> {
  return rowsAmong(open, 'connect.attachment', { column: 'post.res_id', ids, also: [['post.model', '=', model]] })
}

type ShownRow = { id: number } & Record<string, unknown>

interface Among {
  column: string
  ids: readonly number[]
  also?: unknown[]
}

/** Records with one of these ids in a column, some at a time, each time in a transaction of its own; in the order of their ids. */
async function rowsAmong(open: OpenEnv, model: string, { column, ids, also = [] }: Among): Promise<ShownRow[]> {
  const rows: ShownRow[] = []
  for (let at = 0; at < ids.length && rows.length < ROWS_MAX; at += ROWS_AT_ONCE) {
    const among = [[column, 'in', ids.slice(at, at + ROWS_AT_ONCE)], ...also]
    for (let after = 0; ; ) {
      const domain = [['id', '>', after], ...among]
      // Anyone who exports all of a person is not to miss what only some group sees.
      const page = await open((env) => rowsOf(elevated(env), model, domain))
      rows.push(...page)
      const last = page.at(-1)?.id
      if (last === undefined || page.length < ROWS_AT_ONCE || rows.length >= ROWS_MAX) break
      after = last
    }
  }
  return rows.slice(0, ROWS_MAX).sort((one, other) => one.id - other.id)
}

/** All columns of the records, long ones too; nothing that is drawn for a screen, and no credentials. */
async function rowsOf(env: Env, model: string, domain: unknown[]): Promise<ShownRow[]> {
  const fields = Object.entries(env.platform.models.get(model).fields)
    .filter(
      ([name, { kind, groups }]) =>
        kind !== 'computed' &&
        kind !== 'one2many' &&
        kind !== 'secret' &&
        groups?.length !== 0 &&
        AT_PROVIDER[model]?.includes(name) !== true,
    )
    .map(([name]) => name)
  const rows = await records(env, model).searchRead(domain, fields, { limit: ROWS_AT_ONCE, order: 'id' })
  const folder = model in FILES ? FILES[model as keyof typeof FILES] : undefined
  return rows.map((row) => {
    if (model === 'connect.message') return { ...row, media: mediaUrls(row) }
    if (model === 'connect.delivery') return withoutAddresses(row)
    return folder === undefined
      ? row
      : { ...row, [model === 'connect.attachment' ? 'file' : 'audio']: `${folder}${row.id}` }
  })
}

function withoutAddresses(row: ShownRow): ShownRow {
  const texts = AS_IT_CAME.map((name) => [name, row[name]] as const)
  return {
    ...row,
    ...Object.fromEntries(
      texts.map(([name, text]) => [name, typeof text === 'string' ? withoutMediaAddresses(text) : text]),
    ),
  }
}
