import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { extenNumbers, releaseExtensions } from '../../directory/extensions.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { CONNECT_COLLEAGUES } from '../../platform/identity/colleagues-offered.ts'
import { joinConnect, leaveConnect } from '../../platform/identity/membership.ts'
import {
  boolean,
  char,
  computed,
  integer,
  many2one,
  type RequiredCase,
  type ShownTo,
  secret,
  selection,
  text,
} from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'
import { remarksField } from '../../platform/model/remarks.ts'
import { SPEECH_LANGUAGE_DEFAULT, SPEECH_LANGUAGES, VOICE_HELP } from '../callflows/speech-languages.ts'
import { EDGES } from '../client/hosts.ts'
import { giveExtension } from '../extensions/extension-target.ts'
import { MOBILE_RING_SECONDS } from '../mobiles/mobile-number.ts'
import { sentence } from '../sentences/sentence.ts'
import { removePromptFiles, updatePromptFiles } from '../speech/spoken-prompts.ts'
import { syncErrorField } from '../sync/telco.ts'
import { colleagueSearch } from './colleague-search.ts'
import { defaultDomain, greetingWidgets, sipUris } from './phone-user-fields.ts'
import { phoneUserRemarks } from './phone-user-remarks.ts'
import { PBX_USER_CHECKS, preparePbxUser } from './phone-user-rules.ts'
import { ringsAPhone } from './rings-a-phone.ts'
import { SIP_PASSWORD_CHARS_MAX } from './sip-password.ts'
import { saveRingSteps } from './user-callflow.ts'

/** The provider's limit for names of SIP credentials. */
export const USERNAME_CHARS_MAX = 32
/** The provider rings no longer than this. */
const RING_SECONDS_MAX = 600
const SIP_RING_SECONDS = 30
const CLIENT_RING_SECONDS = 10
/** As people write a number, with blanks and what else. */
const NUMBER_CHARS_MAX = 64

const PRIORITIES = [
  ['1', 'First'],
  ['2', 'Second'],
  ['3', 'Third'],
] as const
const CONNECT_GROUPS = [GROUP.connectUser, GROUP.connectAdmin]

/** A SIP password opens the phone: whatever other rows somebody sees, only their own shows it. */
const OWNER_AND_ADMINISTRATORS: ShownTo = {
  columns: ['user'],
  allows: ({ groups, userId }, { user }) => groups.has(GROUP.connectAdmin) || user === userId,
}

/** A phone is rung at an address, of whichever kind it is. */
const WHILE_RINGING: readonly RequiredCase[] = [
  { is: { sip_enabled: true }, says: 'while the SIP phone is enabled' },
  { is: { client_enabled: true }, says: 'while the web phone is enabled' },
]

const WHILE_MOBILE: readonly RequiredCase[] = [{ is: { mobile_enabled: true }, says: 'while the mobile is rung' }]

const RING_TIMEOUT = { required: true, min: 1, max: RING_SECONDS_MAX }

/** Somebody with a telephone: a SIP phone, a web phone or both. */
export const pbxUserModel = defineModel({
  name: 'connect.user',
  label: 'Phone user',
  order: 'name',
  fields: {
    user: many2one('Login', 'res.users', {
      required: true,
      onDelete: 'cascade',
      isIndexed: false,
      offers: CONNECT_COLLEAGUES,
    }),
    name: char('Name', { readonly: true, isIndexed: true }),
    active: boolean('Active', { default: true }),
    username: char('Username', {
      isUnique: true,
      requiredWhile: WHILE_RINGING,
      maxLength: USERNAME_CHARS_MAX,
      pattern: { matches: /^[A-Za-z0-9]+$/, says: 'letters and digits only' },
      help: "Phones sign in at Twilio with it. Can't be changed later.",
    }),
    domain: many2one('SIP domain', 'connect.telco.domain', {
      onDelete: 'cascade',
      default: defaultDomain,
      requiredWhile: WHILE_RINGING,
    }),
    password: secret('SIP password', {
      isProtected: false,
      groups: CONNECT_GROUPS,
      shownTo: OWNER_AND_ADMINISTRATORS,
      maxLength: SIP_PASSWORD_CHARS_MAX,
      help: 'Shown until Twilio has it.',
    }),
    sid: char('Credential SID', { readonly: true }),
    sync_error: syncErrorField(),
    sip_enabled: boolean('SIP phone'),
    sip_priority: selection('SIP phone rings', PRIORITIES, { required: true, default: '2' }),
    sip_ring_timeout: integer('SIP phone rings for (seconds)', { ...RING_TIMEOUT, default: SIP_RING_SECONDS }),
    client_enabled: boolean('Web phone', { default: true }),
    client_priority: selection('Web phone rings', PRIORITIES, { required: true, default: '1' }),
    client_ring_timeout: integer('Web phone rings for (seconds)', { ...RING_TIMEOUT, default: CLIENT_RING_SECONDS }),
    mobile_enabled: boolean('Mobile'),
    mobile_number: char('Mobile number', {
      isIndexed: true,
      requiredWhile: WHILE_MOBILE,
      maxLength: NUMBER_CHARS_MAX,
      help: 'The person who picks up presses 1 to take the call. Calls to it cost as other calls do.',
    }),
    mobile_priority: selection('Mobile rings', PRIORITIES, { default: '3' }),
    mobile_ring_timeout: integer('Mobile rings for (seconds)', {
      min: 1,
      max: RING_SECONDS_MAX,
      default: MOBILE_RING_SECONDS,
    }),
    voicemail_enabled: boolean('Voicemail'),
    voicemail_prompt: text('Voicemail prompt', {
      default: sentence('userIsAway'),
      help: "Spoken before the tone. {{user.name}} becomes the person's name.",
    }),
    greeting_message: text('Greeting', { help: 'Callers hear it before the first phone rings.' }),
    language: selection('Language', SPEECH_LANGUAGES, { required: true, default: SPEECH_LANGUAGE_DEFAULT }),
    voice: char('Voice', { help: `Speaks the greeting and the voicemail prompt. ${VOICE_HELP}` }),
    record_calls: boolean('Record calls', { default: true }),
    missed_calls_notify: boolean('Notify about missed calls'),
    telco_exten: many2one('Extension', 'connect.telco.exten', { readonly: true }),
    telco_exten_number: computed('Short number', 'char', {
      depends: ['telco_exten'],
      isWritable: true,
      help: 'Short number of this person, such as 101.',
      compute: (env, rows) => extenNumbers(env, rows, 'telco_exten'),
    }),
    telco_outgoing_callerid: many2one('Outgoing caller ID', 'connect.telco.outgoing_callerid', {
      help: 'Shown on outgoing calls. Leave empty for the default.',
    }),
    application: many2one('Web phone application', 'connect.telco.markup', {
      help: "Handles web phone calls in place of the SIP domain's application.",
    }),
    whatsapp_sender_id: many2one('WhatsApp sender', 'connect.whatsapp_sender'),
    telco_edge: selection('Edge', ['roaming', ...EDGES], { required: true, default: 'roaming' }),
    uri: computed('SIP address', 'char', {
      depends: ['username', 'domain'],
      compute: async (env, rows) => (await sipUris(env, rows)).map((uri) => uri.plain),
    }),
    connect_uri: computed('Edge SIP address', 'char', {
      depends: ['username', 'domain', 'telco_edge'],
      compute: async (env, rows) => (await sipUris(env, rows)).map((uri) => uri.atEdge),
    }),
    voicemail_prompt_file: many2one('Generated voicemail prompt', 'connect.voiceai_file', { readonly: true }),
    voicemail_prompt_widget: computed('Voicemail prompt (audio)', 'html', {
      depends: ['voicemail_prompt_file'],
      compute: greetingWidgets,
    }),
    remarks: remarksField(phoneUserRemarks),
    rings_a_phone: ringsAPhone,
    summary_prompt: text('Summary prompt', {
      help: "Leave empty to use the company's summary prompt.",
    }),
  },
  indexes: [{ columns: ['user'], isUnique: true, refusal: 'phone-user-of-login-twice' }],
  rules: [{ group: GROUP.connectUser, domain: ({ userId }) => [['user', '=', userId]] }],
  methods: { colleague_search: colleagueSearch },
  checks: PBX_USER_CHECKS,
  prepare: preparePbxUser,
  async saved(env, change) {
    const { id, values } = change
    if ('telco_exten_number' in values) {
      await giveExtension(env, { model: 'connect.user', resId: id }, values.telco_exten_number)
    }
    await saveRingSteps(env, id)
    if (change.isNew) for (const login of await listLogins(env, [id])) await joinConnect(env, login)
    await updatePromptFiles(env, 'connect.user', change.id)
  },
  goesWith: ['user', 'domain'],
  async removing(env, ids) {
    await releaseExtensions(env, 'connect.user', ids)
    await removePromptFiles(env, 'connect.user', ids)
    // Of a phone that was made by mistake: whom it was for worked with Connect before.
    if (env.context.keeps_groups !== true) await leaveConnect(env, await listLogins(env, ids))
  },
})

/** The logins of phone users. */
async function listLogins(env: Env, ids: readonly number[]): Promise<number[]> {
  const rows = await env.db.query<{ login: number }>(
    sql`select "user" as login from connect_user where id in (${idList(ids)}) order by id`,
  )
  return rows.map(({ login }) => login)
}
