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
/** The field of a number that holds each kind of target, which is also what the destination is called. */
const DESTINATIONS = {
  'connect.user': 'user',
  'connect.telco.callflow': 'callflow',
  'connect.voiceai_agent': 'voiceai_agent',
} as const

/** Makes the company in the service, and has both providers know of it. What is there already is kept and corrected. */
export async function setUpCompany(service: ServiceApi, emulators: Emulators, company: Company): Promise<SetUp> {
  const targets = new Map<string, Target>()
  const userIds = new Map<string, number>()
  for (const { name, phone, email } of company.contacts ?? []) {
    await service.ensure('res.partner', { phone }, { name, ...(email === undefined ? {} : { email }) })
  }
  buyNumbers(emulators, company)
  for (const person of company.people ?? []) {
    const { userId, id } = await setUpPerson(service, person)
    userIds.set(person.name, userId)
    targets.set(person.name, { model: 'connect.user', id })
    await setUpExtension(service, { ...person, target: { model: 'connect.user', id } })
  }
  for (const agent of company.agents ?? []) {
    const target: Target = { model: 'connect.voiceai_agent', id: await setUpAgent(service, agent) }
    targets.set(agent.name, target)
    await setUpExtension(service, { ...agent, target })
  }
  for (const menu of company.menus ?? []) {
    const target: Target = { model: 'connect.telco.callflow', id: await setUpMenu(service, menu, targets) }
    targets.set(menu.name, target)
    await setUpExtension(service, { ...menu, target })
  }
  for (const menu of company.menus ?? []) await setUpChoices(service, menu, targets)
  await synchronise(service, 'telco')
  await synchronise(service, 'voiceai')
  await setUpNumbers(service, company, targets)
  return { userIdOf: (name) => required(userIds, name), targetOf: (name) => required(targets, name) }
}

/** Numbers are bought at the provider; the synchronisation brings them here. */
function buyNumbers({ telco }: Emulators, { numbers = [], whatsAppNumbers = [] }: Company): void {
  for (const { number: phoneNumber } of numbers) {
    if (telco.account.numbers.findWhere('phone_number', phoneNumber) === undefined) telco.addNumber({ phoneNumber })
  }
  for (const number of whatsAppNumbers) {
    if (telco.account.senders.findWhere('sender_id', `whatsapp:${number}`) === undefined)
      telco.addWhatsAppSender(number)
  }
}

async function setUpPerson(service: ServiceApi, person: Person): Promise<{ userId: number; id: number }> {
  const { name, username, phones, voicemail, isToldOfMissedCalls } = person
  const userId = await service.ensure('res.users', { login: `${username}@example.com` }, { name })
  const domain = await service.find('connect.telco.domain', { subdomain: SUBDOMAIN })
  const known = await service.find('connect.user', { username })
  const hasSip = phones.includes('sip')
  const id = await service.ensure(
    'connect.user',
    { username },
    {
      client_enabled: phones.includes('web'),
      sip_enabled: hasSip,
      voicemail_enabled: voicemail !== undefined,
      missed_calls_notify: isToldOfMissedCalls ?? false,
      ...(voicemail === undefined ? {} : { voicemail_prompt: voicemail }),
      // A login, a domain and a password are given once.
      ...(known === undefined ? { user: userId, domain: domain?.id ?? null } : {}),
      ...(known === undefined && hasSip ? { password: SIP_PASSWORD } : {}),
    },
  )
  return { userId, id }
}

async function setUpAgent(service: ServiceApi, agent: VoiceAgent): Promise<number> {
  const { name, greeting, prompt, connectsBy } = agent
  const voice = await service.find('connect.voiceai_voice', {})
  const tools = await service.list('connect.voiceai_agent_tool', { name: [...agent.tools] })
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
      ...(connectsBy === undefined ? {} : { connect_method: connectsBy }),
    },
  )
}

async function setUpMenu(service: ServiceApi, menu: Menu, targets: ReadonlyMap<string, Target>): Promise<number> {
  const { name, prompt, rings = [], voicemail, isRecorded = false, choices = [] } = menu
  return service.ensure(
    'connect.telco.callflow',
    { name },
    {
      prompt_message: prompt ?? null,
      gather_input: choices.length > 0,
      gather_input_type: choices.some(({ speech }) => speech !== undefined) ? 'dtmf speech' : 'dtmf',
      ring_users: rings.map((person) => required(targets, person).id),
      voicemail_enabled: voicemail !== undefined,
      voicemail_prompt: voicemail ?? null,
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

async function setUpExtension(
  service: ServiceApi,
  { extension, isPublished = false, target }: { extension?: string; isPublished?: boolean; target: Target },
): Promise<void> {
  if (extension === undefined) return
  const values = { dst: `${target.model},${target.id}`, is_published: isPublished }
  await service.ensure('connect.telco.exten', { number: extension }, values)
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
