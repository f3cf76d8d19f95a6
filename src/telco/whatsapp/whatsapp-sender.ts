import { Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { boolean, char, computed, many2one, text } from '../../platform/model/fields.ts'
import { defineModel, method, type Row } from '../../platform/model/model.ts'
import { remarksField } from '../../platform/model/remarks.ts'
import { records } from '../../platform/records/records.ts'
import { runButton } from '../../sync/requests.ts'
import { markupUrl, statusUrl, webhookField } from '../applications/webhook-url.ts'
import { makeOnlyDefault } from '../caller-ids/only-default.ts'
import { ownNumber } from '../numbers/own-number.ts'
import { syncErrorField, TELCO } from '../sync/telco.ts'
import { senderRemarks } from './sender-remarks.ts'

const TABLE = 'connect_whatsapp_sender'
/** The profile is the provider's; SYNC copies it here. */
const RO = { readonly: true } as const
/** A sender is taken over with what the provider says of it. */
const REPORTED = { changedBy: 'service' } as const
const LINES = 'One per line.'

/** A number of ours on WhatsApp, as the provider reports it. */
export const whatsappSenderModel = defineModel({
  name: 'connect.whatsapp_sender',
  label: 'WhatsApp sender',
  order: 'number',
  display: {
    columns: ['number', 'profile_name'],
    show: (row) => (row.profile_name ? `${row.profile_name} ${row.number}` : String(row.number)),
  },
  fields: {
    number: char('Number', {
      ...REPORTED,
      required: true,
      isUnique: true,
      pattern: { matches: /^\+\d{3,15}$/, says: 'a phone number such as +15550100001' },
    }),
    sid: char('Sender SID', { ...REPORTED, isUnique: true }),
    sync_error: syncErrorField(),
    status: char('Status', { ...REPORTED, help: 'Can send messages while ONLINE.' }),
    url: char('Address', { ...REPORTED, maxLength: 2_000 }),
    offline_reasons: text('Why it is offline', REPORTED),
    number_id: computed('Phone number', 'many2one', {
      target: 'connect.telco.number',
      depends: ['number'],
      compute: numbersOf,
    }),
    profile_name: char('Profile name', RO),
    profile_about: text('About', RO),
    profile_vertical: char('Industry', RO),
    profile_address: text('Postal address', RO),
    profile_description: text('Description', RO),
    profile_logo_url: char('Logo', { ...RO, maxLength: 2_000 }),
    profile_banner_url: char('Banner', { ...RO, maxLength: 2_000 }),
    profile_privacy_url: char('Privacy policy', { ...RO, maxLength: 2_000 }),
    profile_terms_url: char('Terms of service', { ...RO, maxLength: 2_000 }),
    profile_accent_color: char('Accent colour', RO),
    profile_websites: text('Websites', { ...RO, help: LINES }),
    profile_emails: text('E-mail addresses', { ...RO, help: LINES }),
    profile_phone_numbers: text('Phone numbers', { ...RO, help: LINES }),
    messaging_limit: char('Messaging limit', RO),
    quality_rating: char('Quality rating', RO),
    voice_application: many2one('Application for calls', 'connect.telco.markup'),
    no_sync: boolean("Don't sync", { help: "Connect leaves this sender alone and doesn't use it." }),
    remarks: remarksField(senderRemarks),
    is_default: boolean('Default', { help: 'Used for everyone without their own sender.' }),
    callback_url: webhookField('Message URL', ({ apiUrl, edge }) => markupUrl(apiUrl, '/telco/webhook/message', edge)),
    status_callback_url: webhookField('Message event URL', ({ apiUrl, edge }) =>
      statusUrl(apiUrl, '/telco/webhook/message_status', edge),
    ),
  },
  methods: {
    sync: runButton(TELCO, 'senders', 'Sync senders'),
    route_to_agent: method({
      label: 'Route calls to a voice agent',
      reply: Type.Array(Type.Integer(), { description: 'The extensions.' }),
      operation: 'write',
      groups: [GROUP.connectAdmin],
      args: Type.Object({ agent_id: Type.Integer({ minimum: 1 }) }),
      run: (env, ids, { agent_id: agentId }) => routeToAgent(env, ids, agentId),
    }),
  },
  async prepare(env, given) {
    const values = { ...given }
    if (typeof values.number === 'string') values.number = await ownNumber(env, values.number)
    if (typeof values.sid === 'string') values.sid = values.sid.trim() || null
    return values
  },
  async saved(env, { id, values }) {
    if (values.is_default === true) await makeOnlyDefault(env, TABLE, id)
  },
})

async function numbersOf(env: Env, rows: readonly Row[]): Promise<([number, string] | null)[]> {
  const numbers = sql.join(
    rows.map((row) => sql`${row.number}`),
    sql`, `,
  )
  const found = await env.db.query<{ id: number; phone_number: string }>(
    sql`select id, phone_number from connect_telco_number where phone_number in (${numbers})`,
  )
  const byNumber = new Map(found.map((each) => [each.phone_number, each.id]))
  return rows.map((row) => {
    const id = byNumber.get(String(row.number))
    return id === undefined ? null : [id, String(row.number)]
  })
}

/** Lets the extension with the sender's own number, made when there is none, lead to the agent. */
async function routeToAgent(env: Env, ids: number[], agentId: number): Promise<number[]> {
  const extensions = records(env, 'connect.telco.exten')
  const dst = `connect.voiceai_agent,${agentId}`
  const routed: number[] = []
  for (const sender of await records(env, 'connect.whatsapp_sender').read(ids, ['number'])) {
    const [existing] = await extensions.search([['number', '=', sender.number]], { limit: 1 })
    if (existing !== undefined) await extensions.write([existing], { dst })
    const made = existing === undefined ? await extensions.create([{ number: sender.number, dst }]) : [existing]
    routed.push(...made)
  }
  return routed
}
