import { sql } from '../database/drizzle.ts'
import { idList } from '../database/ids.ts'
import { bareEmail } from '../email-address.ts'
import { countOfContacts } from '../ledger/counts-of-contacts.ts'
import { readId } from '../lenient-values.ts'
import { ONE_LINE } from '../names.ts'
import { toContactKey } from '../phone.ts'
import type { Env } from '../platform/access/env.ts'
import { GROUP, isWebhook } from '../platform/access/identity.ts'
import { isContactOfStaff } from '../platform/identity/colleagues.ts'
import { fact } from '../platform/model/fact.ts'
import { boolean, char, computed, many2one, one2many, text } from '../platform/model/fields.ts'
import { type Check, defineModel, type Row, type Values } from '../platform/model/model.ts'
import { zoneCheck } from '../platform/model/zone-check.ts'
import { records } from '../platform/records/records.ts'
import { isUnseen } from '../unseen.ts'
import { COMPANY_CHECK } from './company-check.ts'
import { CONTACTS_OFFERED } from './contacts-offered.ts'
import { duplicates } from './duplicates.ts'
import { lookup } from './lookup.ts'
import { lookupNumber } from './lookup-number.ts'
import { merge } from './merge.ts'
import { mergedInto } from './merged-into.ts'
import { requireNumber } from './number-check.ts'

/** Anyone who does not work with Connect does not see how much somebody calls. */
const COUNTERS_SEEN_BY = [GROUP.connectUser, GROUP.connectAdmin]

// Regions may be numbers, as in `ar_001` and `es_419`.
const LANGUAGE_CODE = /^[a-z]{2,3}(?:[_-][A-Za-z0-9]{2,4}){0,2}(?:@[a-z]+)?$/

/** People and companies. Their numbers are kept in E.164 beside what was typed, so that a caller is found by index. */
export const partnerModel = defineModel({
  name: 'res.partner',
  label: 'Contact',
  order: 'name, id desc',
  hasChatter: true,
  isAboutPeople: true,
  fields: {
    name: char('Name', { required: true, maxLength: 500, isIndexed: 'folded', pattern: ONE_LINE }),
    active: boolean('Active', { default: true }),
    phone: char('Phone', {
      maxLength: 100,
      help: "Numbers without a country code belong to the contact's country, or the company's.",
    }),
    mobile: char('Mobile', { maxLength: 100 }),
    phone_normalized: char('Phone (E.164)', { readonly: true, isIndexed: true }),
    mobile_normalized: char('Mobile (E.164)', { readonly: true, isIndexed: true }),
    email: char('E-mail', { maxLength: 320, isIndexed: true }),
    lang: char('Language', { pattern: { matches: LANGUAGE_CODE, says: 'a code such as de_DE' } }),
    tz: char('Time zone', { maxLength: 64 }),
    is_company: boolean('This is a company'),
    parent_id: many2one('Company', 'res.partner', { offers: [['id', '!=', { of: 'id' }], ...CONTACTS_OFFERED] }),
    child_ids: one2many('People', 'res.partner', 'parent_id'),
    country_id: many2one('Country', 'res.country', { isIndexed: false }),
    comment: text('Notes'),
    is_staff: fact('Colleague', isContactOfStaff, {
      help: 'Set for people who sign in here, and for Connect itself.',
    }),
    connect_calls_count: computed('Calls', 'integer', {
      depends: [],
      groups: COUNTERS_SEEN_BY,
      compute: (env, rows) => countOf(env, rows, 'calls'),
    }),
    connect_messages_count: computed('Messages', 'integer', {
      depends: [],
      groups: COUNTERS_SEEN_BY,
      compute: (env, rows) => countOf(env, rows, 'messages'),
    }),
    connect_recorded_calls: one2many('Recorded calls', 'connect.recording', 'partner', { isHeavy: true }),
  },
  methods: { lookup_number: lookupNumber, lookup, duplicates, merge, merged_into: mergedInto },
  checks: [zoneCheck('res.partner', 'tz'), COMPANY_CHECK, numberCheck('phone'), numberCheck('mobile')],
  prepare: withNormalized,
  async saved(env, { id, isNew }) {
    const callId = isNew ? readId(env.context.connect_call_id) : undefined
    if (callId?.kind === 'present') await records(env, 'connect.call').write([callId.value], { partner: id })
  },
})

/** What a provider or a tool brings is stored as it came; so is what stands there already. */
function numberCheck(field: 'phone' | 'mobile'): Check {
  return {
    fields: [field],
    says: 'Must be a phone number, an extension or a short code.',
    async require({ env, values, current, after }) {
      const written = values[field]
      if (typeof written !== 'string' || isUnseen(written) || written === current?.[field]) return
      if (env.identity.isElevated || isWebhook(env.identity)) return
      requireNumber(written, `res.partner.${field}`, await countryOf(env, after.country_id))
    },
  }
}

async function withNormalized(env: Env, given: Values, current: Row | undefined): Promise<Values> {
  const values: Values = { ...given }
  if (typeof given.email === 'string') values.email = bareEmail(given.email)
  if (!('phone' in given) && !('mobile' in given) && !('country_id' in given) && current !== undefined) return values
  const country = await countryOf(env, values.country_id ?? current?.country_id)
  const phone = 'phone' in values ? values.phone : current?.phone
  const mobile = 'mobile' in values ? values.mobile : current?.mobile
  values.phone_normalized = typeof phone === 'string' ? (toContactKey(phone, country) ?? null) : null
  values.mobile_normalized = typeof mobile === 'string' ? (toContactKey(mobile, country) ?? null) : null
  return values
}

async function countryOf(env: Env, id: unknown): Promise<string | undefined> {
  if (typeof id !== 'number') return env.settings.country
  const rows = await env.db.query<{ code: string }>(sql`select code from res_country where id = ${id}::bigint`)
  return rows[0]?.code ?? env.settings.country
}

/** Calls or messages of each contact; a company counts those of its people too. */
async function countOf(env: Env, rows: readonly Row[], what: 'calls' | 'messages'): Promise<number[]> {
  const pairs = sql`select p.id, own.id as own from res_partner p
    join res_partner own on own.id = p.id or own.parent_id = p.id where p.id in (${idList(rows.map(({ id }) => id))})`
  const counts = await env.db.query<{ id: number; count: number }>(countOfContacts(what, pairs))
  const byId = new Map(counts.map((each) => [each.id, each.count]))
  return rows.map((row) => byId.get(row.id) ?? 0)
}
