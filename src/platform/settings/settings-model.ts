import { randomUUID } from 'node:crypto'
import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { ONE_LINE } from '../../names.ts'
import { sayRefusal } from '../../refusals.ts'
import { storedTime } from '../../time.ts'
import type { Env } from '../access/env.ts'
import { type Extension, extend } from '../model/extend.ts'
import { boolean, char, computed, type Field, integer, json, many2one, selection } from '../model/fields.ts'
import { defineModel, type Model, type Row, type Values } from '../model/model.ts'
import { isBlank } from '../model/values.ts'
import { zoneCheck } from '../model/zone-check.ts'
import { isMask, MASK } from '../secrets/secrets.ts'
import { type ReadOf, setting, settingsIn, type VerifyingOf } from './setting.ts'

/** A stored time without its milliseconds. */
const STORED_SECONDS_CHARS = 'YYYY-MM-DD hh:mm:ss'.length
const DELIVERY_DAYS_DEFAULT = 30
const DELIVERY_DAYS_MAX = 3650

const coreFields = {
  name: computed('Name', 'char', { depends: [], compute: (_env, rows) => rows.map(() => 'General Settings') }),
  // SYNC sends the agent token to where this points, and only when that is https on a public host.
  api_url: setting(
    'apiUrl',
    char('Public address', {
      help: 'Twilio and ElevenLabs call Connect here.',
    }),
    { isPasted: true, verifies: true },
  ),
  api_fallback_url: char('Fallback address', { help: "Twilio calls this address when the public one doesn't answer." }),
  country_id: many2one('Country', 'res.country', {
    help: 'Numbers without a country code belong to this country.',
  }),
  company_name: setting(
    'companyName',
    char('Company', { maxLength: 200, pattern: ONE_LINE, help: 'Shown on the sign-in page and in page titles.' }),
  ),
  tz: setting(
    'zone',
    char('Time zone', {
      maxLength: 64,
      help: "Used for daily figures and for people who haven't picked their own.",
    }),
  ),
  secrets_set: setting(
    'secretsSet',
    json('Secrets last changed', {
      readonly: true,
      help: 'When each secret was last changed, and by whom.',
    }),
  ),
  instance_uid: setting(
    'instanceUid',
    char('Instance', { readonly: true, required: true, default: () => randomUUID() }),
  ),
  was_set_up: boolean('Set up', {
    readonly: true,
    help: 'Once someone has a password, the link for the first administrator stops working.',
  }),
  debug_mode: setting('isDebugging', boolean('Log requests', { default: false })),
  delivery_keep_days: setting(
    'deliveryKeepDays',
    integer('Keep webhooks (days)', {
      required: true,
      default: DELIVERY_DAYS_DEFAULT,
      min: 1,
      max: DELIVERY_DAYS_MAX,
    }),
  ),
  // Whether people find contacts by part of a number too.
  number_search_operation: setting(
    'searchesPartsOfNumbers',
    selection(
      'Number search',
      { '=': 'Whole number', like: 'Any part of it' },
      {
        default: '=',
        help: 'Match the whole number or any part of it. Incoming calls always match the whole number.',
      },
    ),
    { read: (operation) => operation === 'like' },
  ),
}

declare module './settings.ts' {
  interface SettingsSnapshot extends ReadOf<typeof coreFields> {}
  interface VerificationSettings extends VerifyingOf<typeof coreFields> {}
}

const coreModel = defineModel({
  name: 'connect.settings',
  label: 'Settings',
  order: 'id',
  display: { columns: ['id'], show: () => 'General Settings' },
  fields: coreFields,
  checks: [zoneCheck('connect.settings', 'tz')],
  async prepare(env, values, current) {
    requireAddress(values, 'api_url')
    if (typeof values.api_fallback_url === 'string') values.api_fallback_url = values.api_fallback_url.trim()
    requireAddress(values, 'api_fallback_url')
    if (current === undefined) await requireFirst(env)
    return values
  },
  saved: (env) => env.platform.settings.announce(env.db),
})

/** The singleton of what administrators decide while the service runs, with what each area adds to it. */
export function settingsWith(...extensions: readonly Extension[]): Model {
  const model = extend(coreModel, ...extensions)
  const settings = settingsIn(model.fields)
  const twins = settings.filter(([, { setting }]) => setting.hasTwin).map(([name]) => name)
  const secrets = Object.entries(model.fields).flatMap(([name, { kind }]) => (kind === 'secret' ? [name] : []))
  const pasted = settings.filter(([, { setting }]) => setting.isPasted).map(([name]) => name)
  return {
    ...extend(model, {
      fields: Object.fromEntries(
        twins.map((name) => [twinName(name), twinOf(name, model.fields[name]?.label ?? name)]),
      ),
    }),
    async prepare(env, given, current) {
      const values = withoutBlanks(withoutTwins(given, twins), pasted)
      return withSecretTimes(env, (await model.prepare?.(env, values, current)) ?? values, { secrets, current })
    },
  }
}

/** The service reads one row; another one would look like settings and change nothing. */
async function requireFirst(env: Env): Promise<void> {
  const rows = await env.db.query(sql`select 1 from connect_settings limit 1`)
  if (rows.length > 0) throw new Refusal('conflict', 'one-record-connect-settings-already-change')
}

/** Paths are put behind it, so it ends before any query; anyone who can see the settings would see a password in it. */
function requireAddress(values: Values, name: string): void {
  const value = values[name]
  if (typeof value !== 'string' || isBlank(value)) return
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (isPlain && /^https?:\/\/[^/]/i.test(value)) return
  const said = sayRefusal('api-must-address-https-connect-example-com', { name })
  throw Refusal.saying('refused', said, { problems: [{ ...said, field: name }] })
}

/** A twin that shows a mask when the secret is set and takes a new secret. */
function twinOf(name: string, label: string): Field {
  return computed(`${label} (new)`, 'char', {
    depends: [name],
    isProtected: true,
    isWritable: true,
    compute: (_env, rows) => rows.map((row) => (isBlank(row[name]) ? null : MASK)),
  })
}

/** Joins with exactly one slash and keeps a path that the base has. */
export function joinUrl(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`
}

function withoutTwins(given: Values, names: readonly string[]): Values {
  const values: Values = { ...given }
  for (const name of names) {
    const twin = twinName(name)
    if (!(twin in values)) continue
    const entered = values[twin]
    delete values[twin]
    if (!isMask(entered)) values[name] = entered
  }
  return values
}

function withoutBlanks(given: Values, names: readonly string[]): Values {
  const pasted = names.flatMap((name) => (typeof given[name] === 'string' ? [[name, given[name].trim()]] : []))
  return { ...given, ...Object.fromEntries(pasted) }
}

/** Adds when, and by whom, the secrets among the values are set; one that is taken away is forgotten. */
function withSecretTimes(
  { identity, now }: Env,
  values: Values,
  { secrets, current }: { secrets: readonly string[]; current: Row | undefined },
): Values {
  const written = secrets.filter((name) => name in values && !isMask(values[name]))
  if (written.length === 0) return values
  const by = identity.userId === 0 ? null : identity.login
  const times = written.map((name) => [
    name,
    isBlank(values[name]) ? null : { at: storedTime(now).slice(0, STORED_SECONDS_CHARS), by },
  ])
  const before = typeof current?.secrets_set === 'object' ? current.secrets_set : {}
  return { ...values, secrets_set: { ...before, ...Object.fromEntries(times) } }
}

function twinName(name: string): string {
  return `display_${name}`
}
