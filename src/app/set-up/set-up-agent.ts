import { type Static, Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { nameForAgents } from '../../names.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { method, type Values } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { freeExtension } from '../../telco/extensions/free-extension.ts'
import { givePhone } from '../../telco/phone-users/give-phone.ts'
import { speechLanguage } from '../../telco/routing/decide/speech.ts'
import { greetingOf } from './agent-greetings.ts'
import { promptOf, type Told, toolsFor } from './agent-texts.ts'

const AGENT = 'connect.voiceai_agent'
const EXTENSION = 'connect.telco.exten'
const PHONE_USER = 'connect.user'

const DOES_CHARS_MAX = 10_000
const PROMPT_CHARS_MAX = 100_000
const GREETING_CHARS_MAX = 2_000
const OPENINGS_MAX = 70
const HOURS_PER_DAY = 24
const ZONE_DEFAULT = 'UTC'

const Hour = Type.Number({ minimum: 0, maximum: HOURS_PER_DAY })
const Ability = Type.Union([
  Type.Literal('answer'),
  Type.Literal('message'),
  Type.Literal('book'),
  Type.Literal('tickets'),
  Type.Literal('hand_over'),
])
const Answers = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 200, description: 'What the agent is called here.' })),
  does: Type.Optional(Type.String({ maxLength: DOES_CHARS_MAX, description: 'What the firm does.' })),
  openings: Type.Optional(
    Type.Array(Type.Object({ dayofweek: Type.String({ pattern: '^[0-6]$' }), hour_from: Hour, hour_to: Hour }), {
      maxItems: OPENINGS_MAX,
      description: 'When the firm is open; 0 is Monday.',
    }),
  ),
  may: Type.Optional(
    Type.Array(Ability, {
      maxItems: Ability.anyOf.length,
      description: 'What the agent may do. Without it: answer, and take a message.',
    }),
  ),
  person: Type.Optional(
    Type.Integer({ description: 'The user who takes over and whose calendar is booked. Without it: who asks.' }),
  ),
  mobile: Type.Optional(Type.String({ maxLength: 40, description: 'The number at which they are rung.' })),
  voice: Type.Optional(Type.Integer({ description: 'Without it: one of the language, else the newest.' })),
  language: Type.Optional(Type.String({ maxLength: 10, description: 'Of the agent, such as de.' })),
})
type Given = Static<typeof Answers>

const Texts = Type.Object({ prompt: Type.String(), first_message: Type.String() })

/** What the set-up asks, and what it makes of the answers. */
export const SET_UP_METHODS = {
  set_up_texts: method({
    label: 'Prompt and greeting of a new agent',
    operation: 'read',
    groups: [GROUP.connectAdmin],
    args: Answers,
    reply: Texts,
    run: async (env, _ids, answers) => textsOf(await toldBy(env, answers, await findPerson(env, answers))),
  }),
  set_up: method({
    label: 'Set up an agent',
    operation: 'create',
    groups: [GROUP.connectAdmin],
    args: Type.Object({
      ...Answers.properties,
      prompt: Type.Optional(Type.String({ maxLength: PROMPT_CHARS_MAX, description: 'In place of the one made.' })),
      first_message: Type.Optional(
        Type.String({ maxLength: GREETING_CHARS_MAX, description: 'In place of the greeting made.' }),
      ),
      announces_ai: Type.Optional(Type.Boolean({ description: 'Whether it says first that it is an AI.' })),
      voicemail: Type.Optional(
        Type.Boolean({
          description: 'Whether callers may leave a message for the person who does not take over. Without it: yes.',
        }),
      ),
      number: Type.Optional(Type.Integer({ description: 'The number that it answers from now on.' })),
    }),
    reply: Type.Object({
      agent: Type.Integer(),
      extension: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the person who takes over.' }),
      business_hours: Type.Union([Type.Integer(), Type.Null()]),
      number: Type.Union([Type.Integer(), Type.Null()]),
    }),
    run: setUpAgent,
  }),
}

interface SetUp extends Given {
  prompt?: string
  first_message?: string
  announces_ai?: boolean
  voicemail?: boolean
  number?: number
}

interface Person {
  userId: number
  name: string
  phone: number | undefined
  extension: { id: number; number: string } | undefined
}

/** Makes an agent with all that belongs to it, or nothing: whatever is refused says which answer it is about. */
async function setUpAgent(env: Env, _ids: readonly number[], given: SetUp) {
  // Two presses at the same time do not give two people the same extension.
  await env.db.query(sql`select pg_advisory_xact_lock(hashtext('connect.set_up_agent'))`)
  const found = await findPerson(env, given)
  const person = isHandingOver(given) ? await reachable(env, found, given) : found
  const told = await toldBy(env, given, person)
  const [agent = 0] = await records(env, AGENT).create([await agentValues(env, given, { told, person })])
  const hours = await saveHours(env, told)
  if (told.may.includes('book')) await saveWorkingHours(env, person, told)
  if (given.number !== undefined) await leadNumber(env, { number: given.number, agent, hours })
  return {
    agent,
    extension: isHandingOver(given) ? (person.extension?.id ?? null) : null,
    business_hours: hours ?? null,
    number: given.number ?? null,
  }
}

async function agentValues(env: Env, given: SetUp, { told, person }: { told: Told; person: Person }): Promise<Values> {
  const texts = textsOf(told)
  const { announces_ai, name, prompt, first_message: greeting } = given
  return {
    name: name?.trim() || (await freeName(env, told.firm)),
    voice: given.voice ?? (await findVoice(env, told.language)),
    language: told.language,
    prompt: prompt?.trim() || texts.prompt,
    first_message: greeting?.trim() || texts.first_message,
    tools: [[6, 0, await findTools(env, toolsFor(told.may))]],
    ...(announces_ai === undefined ? {} : { announces_ai }),
    fallback_exten: isHandingOver(given) ? (person.extension?.id ?? null) : null,
  }
}

/** The name of the firm, with a number behind it where an agent has that name: people choose among agents by their names. */
async function freeName(env: Env, firm: string): Promise<string> {
  const taken = await env.db.query<{ name: string }>(
    sql`select name from connect_voiceai_agent where starts_with(name, ${firm})`,
  )
  const names = new Set(taken.map((each) => each.name))
  let [name, count] = [firm, 1]
  while (names.has(name)) {
    count += 1
    name = `${firm} ${count}`
  }
  return name
}

function isHandingOver({ may = [] }: Given): boolean {
  return may.includes('hand_over')
}

function textsOf(told: Told): Static<typeof Texts> {
  return { prompt: promptOf(told), first_message: greetingOf(told.firm, told.language) }
}

async function toldBy(env: Env, given: Given, person: Person): Promise<Told> {
  const [settings] = await env.db.query<{ company_name: string | null; tz: string | null }>(
    sql`select company_name, tz from connect_settings order by id limit 1`,
  )
  return {
    firm: nameForAgents(settings?.company_name ?? '') || 'Connect',
    does: given.does?.trim() ?? '',
    openings: given.openings ?? [],
    zone: settings?.tz || ZONE_DEFAULT,
    may: given.may ?? ['answer', 'message'],
    person: {
      name: nameForAgents(person.name),
      userId: person.userId,
      extension: person.extension?.number ?? (await freeExtension(env)),
    },
    language: given.language ?? 'en',
  }
}

/** Anyone who takes over, with the phone and the extension that they have. */
async function findPerson(env: Env, { person }: Given): Promise<Person> {
  const userId = person ?? env.identity.userId
  const [row] = await env.db.query<{ name: string; phone: number | null; exten: number | null; number: string | null }>(
    sql`select p.name, u.id as phone, e.id as exten, e.number from res_users r join res_partner p on p.id = r.partner_id
        left join connect_user u on u."user" = r.id left join connect_telco_exten e on e.id = u.telco_exten
        where r.id = ${userId}::bigint and r.active`,
  )
  if (row === undefined) throw new Refusal('refused', 'set-up-agent-person')
  const { name, phone, exten, number } = row
  const extension = exten === null || number === null ? undefined : { id: exten, number }
  return { userId, name, phone: phone ?? undefined, extension }
}

/** The person with a phone user and an extension that agents may transfer to, which are made where they are missing. */
async function reachable(
  env: Env,
  person: Person,
  { mobile, language = 'en', voicemail = true }: SetUp,
): Promise<Person> {
  if (person.extension === undefined) {
    const number = await freeExtension(env)
    // A mobile is asked to press 1, and callers are greeted, in the language of the agent.
    if (person.phone === undefined) await givePhone(env, person.userId, number, speechLanguage(language))
    else await records(env, PHONE_USER).write([person.phone], { telco_exten_number: number })
  }
  const now = await findPerson(env, { person: person.userId })
  if (now.phone === undefined || now.extension === undefined) throw new Refusal('refused', 'set-up-agent-person')
  const written = mobile?.trim() ?? ''
  const values = {
    ...(written === '' ? {} : { mobile_enabled: true, mobile_number: written }),
    // After the agent has gone, a caller whom nobody takes would be cut off; a voicemail that is on stays on.
    ...(voicemail ? { voicemail_enabled: true } : {}),
  }
  if (Object.keys(values).length > 0) await records(env, PHONE_USER).write([now.phone], values)
  await records(env, EXTENSION).write([now.extension.id], { is_published: true })
  return now
}

/** A voice of the language where there is one, else the newest. */
async function findVoice(env: Env, language: string): Promise<number> {
  const voices = records(env, 'connect.voiceai_voice')
  const [own] = await voices.search([['language', '=', language]], { limit: 1 })
  const [newest] = own === undefined ? await voices.search([], { limit: 1 }) : [own]
  if (newest === undefined) throw new Refusal('refused', 'set-up-agent-no-voice')
  return newest
}

async function findTools(env: Env, names: readonly string[]): Promise<number[]> {
  const found = await records(env, 'connect.voiceai_agent_tool').searchRead([['name', 'in', [...names]]], ['name'], {})
  const known = new Set(found.map(({ name }) => name))
  const missing = names.filter((name) => !known.has(name))
  if (missing.length > 0) throw new Refusal('refused', 'set-up-agent-tools', { names: missing.join(', ') })
  return found.map(({ id }) => id)
}

/** The opening hours as business hours that numbers may have; undefined when nobody said any. */
async function saveHours(env: Env, { firm, zone, openings }: Told): Promise<number | undefined> {
  if (openings.length === 0) return undefined
  const opening_ids = openings.map((opening) => [0, 0, { ...opening }])
  const [made] = await records(env, 'connect.telco.business_hours').create([{ name: firm, tz: zone, opening_ids }])
  return made
}

/** The same as the hours in which meetings are booked; those that somebody has stay as they are. */
async function saveWorkingHours(env: Env, { userId, name }: Person, { zone, openings }: Told): Promise<void> {
  const calendars = records(env, 'resource.calendar')
  const [own] = await calendars.search([['user_id', '=', userId]])
  if (own !== undefined || openings.length === 0) return
  const attendance_ids = openings.map((opening) => [0, 0, { ...opening }])
  await calendars.create([{ name, user_id: userId, tz: zone, attendance_ids }])
}

interface Leading {
  number: number
  agent: number
  hours: number | undefined
}

/** The agent answers the number, outside of the opening hours too: it knows them, and says so. */
async function leadNumber(env: Env, { number, agent, hours }: Leading): Promise<void> {
  const values: Values = { destination: 'voiceai_agent', voiceai_agent: agent }
  if (hours !== undefined) {
    const [closed] = await records(env, EXTENSION).create([
      { number: await freeExtension(env), dst: `${AGENT},${agent}` },
    ])
    Object.assign(values, { business_hours: hours, closed_exten: closed })
  }
  await records(env, 'connect.telco.number').write([number], values)
}
