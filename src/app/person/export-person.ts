import { Type } from 'typebox'
import { Refusal } from '../../errors.ts'
import { mediaUrls } from '../../ledger/messages/message-words.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { ATTACHMENT_PATH } from '../../platform/attachments/attachment.ts'
import { method } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { findPersonOfContact } from './person-of-contact.ts'
import { findTraces } from './traces.ts'

/** Records of one kind; who has more is not a person but an exchange. */
const ROWS_MAX = 10_000
/** Where their bytes are. */
const FILES = {
  'connect.recording': '/connect/recording/',
  'connect.voicemail': '/connect/voicemail/',
  'connect.attachment': ATTACHMENT_PATH,
}

/** Where a provider keeps media, and we: their bytes are reached by our own routes. */
const AT_PROVIDER = ['media_ref', 'media_url', 'voicemail_url']

/** Everything there is of a person in one JSON, for whoever asks what is stored about them; audio by its address. */
export const exportPerson = method({
  label: 'Everything about a person',
  operation: 'read',
  groups: [GROUP.connectAdmin],
  reply: Type.Record(Type.String(), Type.Unknown()),
  async run(env, ids) {
    const [id, ...others] = ids
    const person = id === undefined || others.length > 0 ? undefined : await findPersonOfContact(env.db, id)
    if (person === undefined) throw new Refusal('refused', 'One person is exported at a time: name one contact.')
    const traces = await findTraces(env.db, person)
    const ofCalls = [['call', 'in', traces.calls]]
    const byId = (found: readonly number[]) => [['id', 'in', found.slice(0, ROWS_MAX)]]
    // Whoever exports all of a person is not to miss what only some group sees.
    const all = elevated(env)
    return {
      contact: await rowsOf(all, 'res.partner', byId(person.contacts)),
      calls: await rowsOf(all, 'connect.call', byId(traces.calls)),
      legs: await rowsOf(all, 'connect.channel', ofCalls),
      recordings: await rowsOf(all, 'connect.recording', ['|', ['partner', 'in', person.contacts], ...ofCalls]),
      voicemails: await rowsOf(all, 'connect.voicemail', ofCalls),
      messages: await rowsOf(all, 'connect.message', byId(traces.messages)),
      tickets: await rowsOf(all, 'helpdesk.ticket', byId(traces.tickets)),
      meetings: await rowsOf(all, 'calendar.event', byId(traces.meetings)),
      notes: {
        contact: await notesOn(all, 'res.partner', person.contacts),
        calls: await notesOn(all, 'connect.call', traces.calls),
        tickets: await notesOn(all, 'helpdesk.ticket', traces.tickets),
        meetings: await notesOn(all, 'calendar.event', traces.meetings),
      },
      files: [
        ...(await filesOn(all, 'res.partner', person.contacts)),
        ...(await filesOn(all, 'connect.call', traces.calls)),
        ...(await filesOn(all, 'helpdesk.ticket', traces.tickets)),
        ...(await filesOn(all, 'calendar.event', traces.meetings)),
      ],
      deliveries: await rowsOf(all, 'connect.delivery', [['call_ref', 'in', traces.calls]]),
    }
  },
})

function notesOn(env: Env, model: string, ids: readonly number[]): Promise<object[]> {
  return rowsOf(env, 'mail.message', [
    ['model', '=', model],
    ['res_id', 'in', ids],
  ])
}

/** What is attached to notes. */
function filesOn(env: Env, model: string, ids: readonly number[]): Promise<object[]> {
  return rowsOf(env, 'connect.attachment', [
    ['post.model', '=', model],
    ['post.res_id', 'in', ids],
  ])
}

/** All columns of the records, long ones too; nothing that is drawn for a screen, and no credentials. */
async function rowsOf(env: Env, model: string, domain: unknown[]): Promise<object[]> {
  const fields = Object.entries(env.platform.models.get(model).fields)
    .filter(
      ([name, { kind, groups }]) =>
        kind !== 'computed' &&
        kind !== 'one2many' &&
        kind !== 'secret' &&
        groups?.length !== 0 &&
        !AT_PROVIDER.includes(name),
    )
    .map(([name]) => name)
  const rows = await records(env, model).searchRead(domain, fields, { limit: ROWS_MAX, order: 'id' })
  const folder = model in FILES ? FILES[model as keyof typeof FILES] : undefined
  return rows.map((row) => {
    if (model === 'connect.message') return { ...row, media: mediaUrls(row) }
    return folder === undefined
      ? row
      : { ...row, [model === 'connect.attachment' ? 'file' : 'audio']: `${folder}${row.id}` }
  })
}
