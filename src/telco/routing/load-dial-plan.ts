import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { statement } from '../../database/statement.ts'
import { GENERATED_SPEECH, VOICE_AGENTS } from '../../directory/voiceai.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { columnsOf } from '../../platform/model/statements.ts'
import { callflowModel, GATHER_ROUNDS_DEFAULT, GATHER_SECONDS_DEFAULT } from '../callflows/callflow.ts'
import { phoneAddress } from '../client/hosts.ts'
import { extenPattern, isPlainNumber } from '../extensions/extension-number.ts'
import { MOBILE_RING_SECONDS } from '../mobiles/mobile-number.ts'
import { byFormsOfNumber } from '../numbers/without-plus.ts'
import { sentence } from '../sentences/sentence.ts'
import type { BusinessHours } from './decide/is-open.ts'
import type { Choice } from './decide/match-choice.ts'
import { fillPrompt, type Speech, speechLanguage } from './decide/speech.ts'
import type {
  Agent,
  Application,
  Callflow,
  Device,
  DialPlan,
  Fallback,
  GatherSettings,
  Mobile,
  OurExtension,
  OurNumber,
  PhoneUser,
  RingStep,
} from './dial-plan.ts'

interface NumberRow extends Omit<OurNumber, 'hours' | 'fallback'> {
  phone_number: string
  fallback_exten: number | null
  fallback_message: string | null
  tz: string | null
  openings: { weekday: number; from: number; to: number }[] | null
  holidays: { from: string; to: string | null; yearly: boolean | null }[] | null
}

interface UserRow {
  id: number
  login: number | null
  name: string | null
  username: string | null
  subdomain: string | null
  client_ring_timeout: number
  sip_ring_timeout: number
  mobile_number: string | null
  mobile_ring_timeout: number | null
  record_calls: boolean | null
  greeting_message: string | null
  language: string
  voice: string | null
  voicemail_prompt: string | null
  file_id: number | null
  filename: string | null
  file_text: string | null
  extension: string | null
  own_callerid: string | null
  steps: RingStep[] | null
}

const FLOW_COLUMNS = [
  ...['id', 'language', 'voice', 'gather_input', 'gather_input_type', 'gather_timeout', 'gather_digits'],
  ...['gather_hints', 'gather_rounds', 'fallback_exten', 'fallback_message', 'prompt_message'],
  ...['invalid_input_message', 'record_calls', 'voicemail_enabled', 'voicemail_prompt'],
  ...['prompt_message_file', 'invalid_input_message_file', 'voicemail_prompt_file'],
] as const

interface FlowRow extends RowOf<typeof callflowModel, (typeof FLOW_COLUMNS)[number]> {
  files: { id: number; filename: string; text: string }[] | null
  choices: Choice[] | null
  users: UserPhones[] | null
  /** Numbers; none in a row that an earlier release has saved. */
  mobiles?: string[] | null
}

interface UserPhones {
  /** None in a row that an earlier release has saved. */
  id?: number
  username: string | null
  subdomain: string | null
  client: boolean | null
  sip: boolean | null
  client_priority: string
  sip_priority: string
  mobile?: boolean | null
  mobile_number?: string | null
  mobile_priority?: string | null
}

interface AgentRow {
  id: number
  agent_uid: string | null
  connect_method: 'register' | 'sip' | null
  language: string | null
  fallback_exten: number | null
  fallback_message: string | null
}

/** The dial plan as one row of JSON, which a file can hold. */
export interface DialPlanRow {
  /** Counts up with each change. */
  version: number
  numbers: NumberRow[] | null
  extensions: OurExtension[] | null
  users: UserRow[] | null
  callflows: FlowRow[] | null
  agents: AgentRow[] | null
  applications: Application[] | null
  default_callerid: string | null
}

/** Far beyond the stretches of a week, the holidays of years, a menu, and a group that rings together. */
const OPENINGS_MAX = 500
const CHOICES_MAX = 200
const RING_USERS_MAX = 100
/** More patterns than this make no dial plan. */
const PATTERNS_MAX = 500

/** Its opening hours and holidays come with each number. */
const NUMBERS = sql`select n.phone_number, n.destination, n."user", n.callflow, n.markup, n.voiceai_agent, n.language,
    n.closed_exten, n.closed_message, n.fallback_exten, n.fallback_message, h.tz,
    (select json_agg(o) from (
      select dayofweek::int + 1 as weekday, hour_from as "from", hour_to as "to" from connect_telco_opening
      where business_hours = h.id order by id limit ${sql.raw(String(OPENINGS_MAX))}) o) as openings,
    (select json_agg(d) from (
      select date_from as "from", date_to as "to", is_yearly as yearly from connect_telco_holiday
      where business_hours = h.id order by id limit ${sql.raw(String(OPENINGS_MAX))}) d) as holidays
  from connect_telco_number n left join connect_telco_business_hours h on h.id = n.business_hours`

const USERS = sql`select u.id, u."user" as login, u.name, u.username, d.subdomain, u.client_ring_timeout, u.sip_ring_timeout,
    u.mobile_number, u.mobile_ring_timeout, u.record_calls, u.greeting_message, u.language, u.voice, u.voicemail_prompt,
    case when f.file is not null then f.id end as file_id, f.filename, f.text as file_text,
    e.number as extension, o.number as own_callerid,
    (select json_agg(json_build_object('id', s.id, 'type', s.callflow_type) order by s.prio, s.id)
      from connect_telco_user_callflow s where s."user" = u.id) as steps
  from connect_user u left join connect_telco_domain d on d.id = u.domain
  left join connect_telco_exten e on e.id = u.telco_exten
  left join connect_telco_outgoing_callerid o
    on o.id = u.telco_outgoing_callerid and o.status is distinct from 'validation failed'
  left join ${GENERATED_SPEECH} f on f.id = u.voicemail_prompt_file
  where u.active is not false`

const CALLFLOWS = sql`select ${columnsOf(callflowModel, FLOW_COLUMNS, 'f')},
    (select json_agg(json_build_object('id', x.id, 'filename', x.filename, 'text', x.text)) from ${GENERATED_SPEECH} x
      where x.id in (f.prompt_message_file, f.invalid_input_message_file, f.voicemail_prompt_file)
        and x.file is not null) as files,
    (select json_agg(c) from (
      select choice_digits as digits, speech, exten from connect_telco_callflow_choice
      where callflow = f.id order by sequence nulls last, id limit ${sql.raw(String(CHOICES_MAX))}) c) as choices,
    (select json_agg(p) from (
      select u.id, u.username, d.subdomain, u.client_enabled as client, u.sip_enabled as sip, u.client_priority, u.sip_priority,
        u.mobile_enabled as mobile, u.mobile_number, u.mobile_priority
      from connect_telco_callflow_ring_users_rel r join connect_user u on u.id = r.user_id
      left join connect_telco_domain d on d.id = u.domain
      where r.callflow_id = f.id and u.active is not false
      order by u.name, u.id limit ${sql.raw(String(RING_USERS_MAX))}) p) as users,
    (select json_agg(e.mobile_number order by e.number) from connect_telco_callflow_ring_mobiles_rel r
      join connect_telco_exten e on e.id = r.exten_id
      where r.callflow_id = f.id and e.mobile_number is not null) as mobiles
  from connect_telco_callflow f`

// One statement, which sees the database as it is at one moment: a plan never holds half of a change.
const LOAD = statement<DialPlanRow>(
  'dial_plan_load',
  sql`select (select version::float8 from connect_dial_plan) as version,
    (select json_agg(x) from (${NUMBERS}) x) as numbers,
    (select json_agg(x) from (select id, number, model, res_id, mobile_number from connect_telco_exten) x) as extensions,
    (select json_agg(x) from (${USERS}) x) as users,
    (select json_agg(x) from (${CALLFLOWS}) x) as callflows,
    (select json_agg(x) from (select id, agent_uid, connect_method, language, fallback_exten, fallback_message
      from ${VOICE_AGENTS} a) x) as agents,
    (select json_agg(x) from (select id, code_type, markup, model, method from connect_telco_markup) x) as applications,
    (select number from connect_telco_outgoing_callerid where is_default order by id limit 1) as default_callerid`,
)

/** The dial plan as the database has it, in one look. Throws what the database throws. */
export async function loadDialPlan(db: Queryable): Promise<DialPlan> {
  return toDialPlan(await readDialPlan(db))
}

/** The same as it was read. */
export async function readDialPlan(db: Queryable): Promise<DialPlanRow> {
  const [row] = await db.run(LOAD, {})
  if (row === undefined) throw new Error('the dial plan has no row')
  return row
}

export function toDialPlan(row: DialPlanRow): DialPlan {
  const defaultCallerId = row.default_callerid ?? undefined
  const extensions = row.extensions ?? []
  const users = (row.users ?? []).map((each) => toPhoneUser(each, defaultCallerId))
  return {
    numbers: byFormsOfNumber(row.numbers ?? [], toOurNumber),
    extensions: byId(extensions),
    extensionsByNumber: new Map(extensions.map((each) => [each.number, each])),
    patterns: patternsOf(extensions),
    users: new Map(users.map((each) => [each.ringing.id, each])),
    usersByName: new Map(users.flatMap((each) => (each.username === null ? [] : [[each.username, each]]))),
    callflows: byId((row.callflows ?? []).map(toCallflow)),
    agents: byId((row.agents ?? []).map((each) => toAgent(each, defaultCallerId))),
    applications: byId(row.applications ?? []),
    defaultCallerId,
  }
}

function byId<Row extends { readonly id: number }>(rows: readonly Row[]): Map<number, Row> {
  return new Map(rows.map((each) => [each.id, each]))
}

function patternsOf(extensions: readonly OurExtension[]): DialPlan['patterns'] {
  return extensions
    .filter(({ number }) => !isPlainNumber(number))
    .toSorted((a, b) => (a.number < b.number ? -1 : 1))
    .slice(0, PATTERNS_MAX)
    .flatMap((extension) => {
      const pattern = extenPattern(extension.number)
      return pattern === undefined ? [] : [{ extension, pattern }]
    })
}

const MINUTES_PER_HOUR = 60

function toOurNumber({ phone_number: _number, tz, openings, holidays, ...row }: NumberRow): OurNumber {
  const { fallback_exten: exten, fallback_message: message, ...rest } = row
  return {
    ...rest,
    hours: tz === null ? undefined : toBusinessHours({ tz, openings, holidays }),
    fallback: { exten, message, language: rest.language ?? undefined },
  }
}

function toBusinessHours({
  tz,
  openings,
  holidays,
}: Pick<NumberRow, 'openings' | 'holidays'> & { tz: string }): BusinessHours {
  const minutes = (hour: number): number => Math.round(hour * MINUTES_PER_HOUR)
  return {
    zone: tz,
    openings: (openings ?? []).map(({ weekday, from, to }) => ({ weekday, from: minutes(from), to: minutes(to) })),
    holidays: (holidays ?? []).map(({ from, to, yearly }) => ({ from, to: to ?? from, isYearly: yearly === true })),
  }
}

function toPhoneUser(row: UserRow, defaultCallerId: string | undefined): PhoneUser {
  const speech = { language: row.language, voice: row.voice ?? undefined }
  const greeting = row.greeting_message?.trim()
  const address = phoneAddress(row)
  const recordsCalls = row.record_calls === true
  return {
    username: row.username,
    ringing: {
      id: row.id,
      address,
      timeoutSeconds: { client: row.client_ring_timeout, sip: row.sip_ring_timeout },
      mobile: toMobile(row),
      recordsCalls,
      speech,
      greeting: greeting ? { ...speech, text: greeting } : undefined,
      voicemailPrompt: { ...speech, text: promptText(row), file: promptFile(row) },
      steps: row.steps ?? [],
    },
    calling: {
      login: row.login ?? undefined,
      name: row.name ?? '',
      extension: row.extension ?? undefined,
      outgoingCallerId: row.own_callerid ?? undefined,
      defaultCallerId,
      address,
      recordsCalls,
      speech,
    },
  }
}

/** None in a row that an earlier release has saved. */
function toMobile({ mobile_number: number, mobile_ring_timeout: seconds }: UserRow): Mobile | undefined {
  return number ? { number, seconds: seconds ?? MOBILE_RING_SECONDS } : undefined
}

function promptText({ voicemail_prompt: prompt, name, language }: UserRow): string {
  return fillPrompt(prompt ?? '', { name: name ?? '' }).trim() || sentence('leaveMessage', language)
}

function promptFile({ file_id: id, filename, file_text: text }: UserRow): Speech['file'] {
  return id === null || filename === null || text === null ? undefined : { id, filename, text }
}

function toCallflow(row: FlowRow): Callflow {
  const flowSpeech = { language: row.language, voice: row.voice ?? undefined }
  const speech = (text: string | null, fileId: number | null): Speech | undefined =>
    text?.trim()
      ? {
          ...flowSpeech,
          text: text.trim(),
          file: row.files?.find((file) => file.id === fileId),
        }
      : undefined
  return {
    id: row.id,
    speech: flowSpeech,
    gather: row.gather_input === true ? gatherSettings(row) : undefined,
    roundsMax: row.gather_rounds ?? GATHER_ROUNDS_DEFAULT,
    fallback: flowFallback(row),
    prompt: speech(row.prompt_message, row.prompt_message_file),
    invalidInput: speech(row.invalid_input_message, row.invalid_input_message_file),
    voicemailPrompt:
      row.voicemail_enabled === true ? speech(row.voicemail_prompt, row.voicemail_prompt_file) : undefined,
    recordsCalls: row.record_calls === true,
    choices: row.choices ?? [],
    people: (row.users ?? []).flatMap(({ id }) => id ?? []),
    devices: [
      ...(row.users ?? []).flatMap(devicesOf),
      ...(row.mobiles ?? []).map((number) => ({ type: 'mobile' as const, number, rank: 0 })),
    ],
  }
}

function flowFallback({ fallback_exten: exten, fallback_message: message, language }: FlowRow): Fallback | undefined {
  return exten === null && !message?.trim() ? undefined : { exten, message, language }
}

function gatherSettings(row: FlowRow): GatherSettings {
  return {
    input: row.gather_input_type ?? 'dtmf',
    timeoutSeconds: row.gather_timeout ?? GATHER_SECONDS_DEFAULT,
    digits: row.gather_digits,
    hints: row.gather_hints ?? undefined,
  }
}

function devicesOf(user: UserPhones): Device[] {
  const address = phoneAddress(user)
  const { mobile_number: number } = user
  const phones = [
    {
      type: 'client' as const,
      isEnabled: user.client === true && address !== undefined,
      priority: user.client_priority,
    },
    { type: 'sip' as const, isEnabled: user.sip === true && address !== undefined, priority: user.sip_priority },
    {
      type: 'mobile' as const,
      isEnabled: user.mobile === true && Boolean(number),
      priority: user.mobile_priority ?? '3',
    },
  ]
  return phones
    .filter(({ isEnabled }) => isEnabled)
    .sort((a, b) => a.priority.localeCompare(b.priority))
    .map(({ type }, rank) =>
      type === 'mobile' ? { type, number: number ?? '', rank } : { type, address: address ?? '', rank },
    )
}

function toAgent(row: AgentRow, defaultCallerId: string | undefined): Agent {
  return {
    id: row.id,
    agentUid: row.agent_uid ?? undefined,
    isRegistered: row.connect_method !== 'sip',
    fallback: { exten: row.fallback_exten, message: row.fallback_message, language: speechLanguage(row.language) },
    defaultCallerId,
  }
}
