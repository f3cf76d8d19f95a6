import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import { boolean, char, computed, one2many, selection } from '../../platform/model/fields.ts'
import { defineModel, type Row, type Values } from '../../platform/model/model.ts'
import { runButton } from '../../sync/requests.ts'
import { ownNumber } from '../numbers/own-number.ts'
import { syncErrorField, TELCO } from '../sync/telco.ts'
import { makeOnlyDefault } from './only-default.ts'

const TABLE = 'connect_telco_outgoing_callerid'
const VALIDATED = 'validated'
/** The provider says whose number it is, and whether it rang there. */
const REPORTED = { changedBy: 'service' } as const

/** A number that outgoing calls can show. */
export const outgoingCalleridModel = defineModel({
  name: 'connect.telco.outgoing_callerid',
  label: 'Outgoing caller ID',
  order: 'friendly_name, id',
  display: { columns: ['friendly_name', 'number'], show: nameOf },
  fields: {
    number: char('Number', {
      required: true,
      isUnique: true,
      maxLength: 20,
      pattern: { matches: /^\+\d+$/, says: 'a + with digits after it, such as +15550100001' },
    }),
    friendly_name: char('Name', { required: true, maxLength: 64 }),
    name: computed('Display name', 'char', {
      depends: ['friendly_name', 'number'],
      compute: (_env, rows) => rows.map(nameOf),
    }),
    callerid_type: selection(
      'Type',
      { outgoing_callerid: 'Verified external number', number: 'Own number' },
      { ...REPORTED, required: true, default: 'outgoing_callerid' },
    ),
    status: selection(
      'Status',
      { 'not validated': 'Not validated', [VALIDATED]: 'Validated', 'validation failed': 'Validation failed' },
      REPORTED,
    ),
    is_default: boolean('Default', {
      help: 'Shown for everyone without their own caller ID.',
    }),
    callerid_users: one2many('Used by', 'connect.user', 'telco_outgoing_callerid'),
    sid: char('Caller ID SID', { readonly: true, isIndexed: true }),
    sync_error: syncErrorField(),
    validation_code: char('Validation code', {
      readonly: true,
      help: 'Enter it on the phone when Twilio calls.',
    }),
  },
  indexes: [{ columns: ['is_default'], where: 'is_default' }],
  methods: { sync: runButton(TELCO, 'caller_ids', 'Sync caller IDs') },
  checks: [
    {
      fields: ['is_default', 'status'],
      says: 'An external caller ID must be validated before it can be the default.',
      require({ values, after }) {
        if (values.is_default === true) requireValidated(after)
      },
    },
  ],
  async prepare(env, given, current) {
    const values = { ...given }
    if (typeof values.number === 'string') values.number = await ownNumber(env, values.number)
    if (current === undefined) values.status ??= values.callerid_type === 'number' ? VALIDATED : 'not validated'
    return values
  },
  async saved(env, { id, values }) {
    if (values.is_default === true) await makeOnlyDefault(env, TABLE, id)
  },
  async removing(env, ids) {
    // The synchronisation removes what is gone at the provider; it acts elevated.
    if (!env.identity.isElevated) await requireNotMirrored(env, ids)
  },
})

function nameOf(row: Row): string {
  return `${row.friendly_name} ${row.number}`
}

function requireValidated(after: Values): void {
  if (after.callerid_type === 'number' || after.status === VALIDATED) return
  throw new Refusal('refused', 'external-caller-id-must-validated-before')
}

async function requireNotMirrored(env: Env, ids: readonly number[]): Promise<void> {
  const rows = await env.db.query<{ number: string }>(
    sql`select c.number from ${sql.identifier(TABLE)} c
        where c.id in (${idList(ids)}) and c.callerid_type = 'number'
          and exists (select 1 from connect_settings s where s.telco_auto_sync) limit 1`,
  )
  if (rows[0] === undefined) return
  throw new Refusal('refused', 'number-yours-remove-at-provider-then', { number: rows[0].number })
}
