import type { Emulators } from '../start.ts'
import { type Company, type Menu, type Person, SUBDOMAIN, type VoiceAgent } from './company.ts'
import { synchronise } from './prepare.ts'
import type { ServiceApi } from './service-api.ts'

/** Something that a number, a menu or an extension can lead to. */
interface Target {
  readonly model: 'connect.user' | 'connect.telco.callflow' | 'connect.voiceai_agent'
  readonly id: number
}

/** What was set up, by the names that the company uses. */
export interface SetUp {
  /** The login of a person, as meetings have it. */
  userIdOf(name: string): number
  targetOf(name: string): Target
}

const SIP_PASSWORD = 'Telephone2026'
const PUSH_SECONDS_MAX = 60
const LOOK_AGAIN_MS = 50
const MS_PER_SECOND = 1_000
/** The field of a number that holds each kind of target, which is also what the destination is called. */
const DESTINATIONS = {
  'connect.user': 'user',
  'connect.telco.callflow': 'callflow',
  'connect.voiceai_agent': 'voiceai_agent',
} as const

/** Makes the company in the service, and has both providers know of it. What is there already is kept and corrected. */
export async function setUpCompany(service: ServiceApi, emulators: Emulators, company: Company): Promise<SetUp> {
  for (const { phone, ...contact } of company.contacts ?? []) {
    await service.ensure('res.partner', { phone }, contact)
  }
  const hasBought = buyNumbers(emulators, company)
  const userIds = new Map<string, number>()
  const targets = new Map<string, Target>()
  for (const person of company.people ?? []) {
    const { userId, id } = await setUpPerson(service, person)
    userIds.set(person.name, userId)
    await setUpTarget(service, person, { targets, target: { model: 'connect.user', id } })
  }
  for (const agent of company.agents ?? []) {
    const id = await setUpAgent(service, agent)
    await setUpTarget(service, agent, { targets, target: { model: 'connect.voiceai_agent', id } })
  }
  for (const { name, mobile, extension, isPublished = false } of company.mobiles ?? []) {
    const values = { mobile_number: mobile, mobile_name: name, is_published: isPublished }
    await service.ensure('connect.telco.exten', { number: extension }, values)
  }
  await setUpMenus(service, company.menus ?? [], targets)
  if (hasBought) await synchronise(service, 'telco')
  await setUpNumbers(service, company, targets)
  await untilPushed(service, company)
  return { userIdOf: (name) => required(userIds, name), targetOf: (name) => required(targets, name) }
}

/** Choices come last: they may lead to menus that are made later. */
async function setUpMenus(service: ServiceApi, menus: readonly Menu[], targets: Map<string, Target>): Promise<void> {
  for (const menu of menus) {
    const id = await setUpMenu(service, menu, targets)
    await setUpTarget(service, menu, { targets, target: { model: 'connect.telco.callflow', id } })
  }
  for (const menu of menus) await setUpChoices(service, menu, targets)
}

/** Lets the others refer to it, and gives it its extension. */
async function setUpTarget(
  service: ServiceApi,
  { name, extension, isPublished = false }: { name: string; extension?: string; isPublished?: boolean },
  { targets, target }: { targets: Map<string, Target>; target: Target },
): Promise<void> {
  targets.set(name, target)
  if (extension === undefined) return
  const values = { dst: `${target.model},${target.id}`, is_published: isPublished }
  await service.ensure('connect.telco.exten', { number: extension }, values)
}

/** Numbers are bought at the provider; a synchronisation brings them here. False when there was nothing to buy. */
function buyNumbers({ telco }: Emulators, { numbers = [], whatsAppNumbers = [] }: Company): boolean {
  const { account } = telco
  const missing = numbers.filter(({ number }) => account.numbers.findWhere('phone_number', number) === undefined)
  for (const { number: phoneNumber } of missing) telco.addNumber({ phoneNumber })
  const isSender = (number: string): boolean =>
    account.senders.findWhere('sender_id', `whatsapp:${number}`) !== undefined
  const senders = whatsAppNumbers.filter((number) => !isSender(number))
  for (const number of senders) telco.addWhatsAppSender(number)
  return missing.length + senders.length > 0
}

/** Edits are pushed to both providers without being asked; waits until they have them. */
async function untilPushed(service: ServiceApi, { agents = [], people = [] }: Company): Promise<void> {
  const endMs = Date.now() + PUSH_SECONDS_MAX * MS_PER_SECOND
  for (;;) {
    const pushed = await service.list('connect.voiceai_agent', { name: agents.map(({ name }) => name), synced: true })
    const sip = people.filter(({ phones }) => phones.includes('sip')).map(({ username }) => username)
    const credentials = await service.search('connect.user', [
      ['username', 'in', sip],
      ['sid', '!=', null],
    ])
    if (pushed.length === agents.length && credentials.length === sip.length) return
    if (Date.now() > endMs) throw new Error(`agents or phones were not pushed within ${PUSH_SECONDS_MAX} s`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

async function setUpPerson(service: ServiceApi, person: Person): Promise<{ userId: number; id: number }> {
  const { name, username, phones, mobile, voicemail, isToldOfMissedCalls } = person
  const userId = await service.ensure('res.users', { login: `${username}@example.com` }, { name })
  const domain = await service.find('connect.telco.domain', { subdomain: SUBDOMAIN })
  const known = await service.find('connect.user', { username }, ['user'])
  if (known !== undefined && idOf(known.user) !== userId) {
    throw new Error(
      `the scenario makes a phone user "${username}", and this service has another person of that username: ` +
        'play it on a data folder of its own (docs/demo.md)',
    )
  }
  const hasSip = phones.includes('sip')
  const id = await service.ensure(
    'connect.user',
    { username },
    {
      client_enabled: phones.includes('web'),
      sip_enabled: hasSip,
      voicemail_enabled: voicemail !== undefined,
      missed_calls_notify: isToldOfMissedCalls ?? false,
      ...(mobile === undefined
        ? {}
        : {
            mobile_enabled: true,
            mobile_number: mobile,
            mobile_priority: '1',
            client_priority: '2',
            sip_priority: '3',
          }),
      ...(voicemail === undefined ? {} : { voicemail_prompt: voicemail }),
      // A login, a domain and a password are given once.
      ...(known === undefined ? { user: userId, domain: domain?.id ?? null } : {}),
      ...(known === undefined && hasSip ? { password: SIP_PASSWORD } : {}),
    },
  )
  return { userId, id }
}

/** The id of a link, which the API gives with the name of its record. */
function idOf(link: unknown): number | undefined {
  return Array.isArray(link) ? Number(link[0]) : undefined
}

async function setUpAgent(service: ServiceApi, agent: VoiceAgent): Promise<number> {
  const { name, greeting, greetings = {}, prompt, connectsBy } = agent
  const voice = await service.find('connect.voiceai_voice', {})
  const tools = await service.list('connect.voiceai_agent_tool', { name: [...agent.tools] })
  const codes = Object.keys(greetings)
  const languages = await service.list('res.lang', { code: codes })
  const missing = agent.tools.length - tools.length
  if (missing > 0) throw new Error(`the service lacks ${missing} of the tools ${agent.tools.join(', ')}`)
  return service.ensure(
    'connect.voiceai_agent',
    { name },
    {
      voice: voice?.id ?? null,
      first_message: greeting,
      prompt,
      tools: tools.map(({ id }) => id),
      additional_languages: languages.map(({ id }) => id),
      first_message_translations: Object.fromEntries(codes.map((code) => [code.split('_', 1)[0], greetings[code]])),
      ...(connectsBy === undefined ? {} : { connect_method: connectsBy }),
    },
  )
}

async function setUpMenu(service: ServiceApi, menu: Menu, targets: ReadonlyMap<string, Target>): Promise<number> {
  const { name, prompt, rings = [], ringsMobiles = [], voicemail, isRecorded = false, choices = [] } = menu
  const mobiles = await service.list('connect.telco.exten', { number: [...ringsMobiles] })
  return service.ensure(
    'connect.telco.callflow',
    { name },
    {
      prompt_message: prompt ?? null,
      gather_input: choices.length > 0,
      gather_input_type: choices.some(({ speech }) => speech !== undefined) ? 'dtmf speech' : 'dtmf',
      ring_users: rings.map((person) => required(targets, person).id),
      ring_mobiles: mobiles.map(({ id }) => id),
      voicemail_enabled: voicemail !== undefined,
      voicemail_prompt: voicemail ?? null,
      fallback_message: menu.lastWords ?? null,
      record_calls: isRecorded,
    },
  )
}

async function setUpChoices(service: ServiceApi, menu: Menu, targets: ReadonlyMap<string, Target>): Promise<void> {
  const callflow = required(targets, menu.name).id
  for (const { digits, speech, leadsTo } of menu.choices ?? []) {
    const { model, id } = required(targets, leadsTo)
    const exten = await service.find('connect.telco.exten', { model, res_id: id })
    if (exten === undefined) throw new Error(`${leadsTo} is a choice of ${menu.name} and has no extension`)
    const values = { exten: exten.id, speech: speech ?? null }
    await service.ensure('connect.telco.callflow_choice', { callflow, choice_digits: digits }, values)
  }
}

async function setUpNumbers(
  service: ServiceApi,
  { numbers = [] }: Company,
  targets: ReadonlyMap<string, Target>,
): Promise<void> {
  for (const { number, leadsTo } of numbers) {
    const record = await service.find('connect.telco.number', { phone_number: number })
    if (record === undefined) throw new Error(`the synchronisation did not bring ${number} here`)
    if (leadsTo === undefined) continue
    const { model, id } = required(targets, leadsTo)
    const destination = DESTINATIONS[model]
    await service.write('connect.telco.number', record.id, { destination, [destination]: id })
  }
}

function required<Value>(values: ReadonlyMap<string, Value>, name: string): Value {
  const value = values.get(name)
  if (value === undefined) throw new Error(`nobody was introduced as ${name}`)
  return value
}
