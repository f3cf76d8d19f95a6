import { stripTags } from '../../ledger/calls/call-change.ts'
import { nameForAgents, textForAgents } from '../../names.ts'
import type { PublishedExtension } from '../../ports/phone-directory.ts'

/**
 * Every variable a prompt or a tool may name (docs/reference/domain.md#dynamic-variables). The platform ends a call
 * that misses one.
 */
export const DYNAMIC_VARIABLES = [
  'call_id',
  'channel_sid',
  'caller_number',
  'called_number',
  'partner_id',
  'partner_name',
  'existing_partner',
  'partner_phone',
  'partner_tz',
  'greeting',
  'previous_conversation_id',
  'previous_topics',
  'users_directory',
  'available_extensions',
] as const

export type DynamicVariables = Record<(typeof DYNAMIC_VARIABLES)[number], string>

/** Every variable, empty: what is answered when nothing can be looked up. */
export const NO_VARIABLES = Object.fromEntries(DYNAMIC_VARIABLES.map((name) => [name, ''])) as DynamicVariables

interface CallContext {
  callId: number | undefined
  channelSid: string | undefined
  callerNumber: string | undefined
  calledNumber: string | undefined
  contact: { id: number; name: string; phone: string | null; tz: string | null } | undefined
  previous: { conversation: string; summary: string | null } | undefined
  users: readonly { name: string; extension: string }[]
  extensions: readonly PublishedExtension[]
}

/** The variables of one call; all of them texts, empty where nothing is known. What people chose is data and no order. */
export function dynamicVariables(context: CallContext): DynamicVariables {
  const { contact, previous } = context
  return {
    call_id: String(context.callId ?? ''),
    channel_sid: context.channelSid ?? '',
    caller_number: nameForAgents(context.callerNumber ?? ''),
    called_number: nameForAgents(context.calledNumber ?? ''),
    ...contactVariables(contact),
    previous_conversation_id: previous?.conversation ?? '',
    previous_topics: textForAgents(stripTags(previous?.summary ?? '')),
    users_directory: context.users.map((user) => `${nameForAgents(user.name)} <${user.extension}>`).join(', '),
    available_extensions: extensionList(context.extensions),
  }
}

function contactVariables(contact: CallContext['contact']) {
  const [name, phone, zone] = [contact?.name, contact?.phone, contact?.tz].map((each) => nameForAgents(each ?? ''))
  return {
    partner_id: String(contact?.id ?? ''),
    partner_name: contact === undefined ? 'Not registered' : (name ?? ''),
    existing_partner: contact === undefined ? 'No' : 'Yes',
    partner_phone: phone ?? '',
    partner_tz: zone ?? '',
    greeting: name || 'Dear customer',
  }
}

/** Extensions as an agent reads them: `<101> "Sales", <102> "Support"`. */
export function extensionList(extensions: readonly PublishedExtension[]): string {
  return extensions.map(({ number, name }) => `<${number}> "${nameForAgents(name)}"`).join(', ')
}

/** Languages that the platform knows under another code. */
const PLATFORM_CODES: Readonly<Record<string, string>> = { nb: 'no', nn: 'no' }

/**
 * `de_DE` is `de`; only Brazil's Portuguese keeps its country (docs/reference/domain.md#language-of-a-conversation).
 */
export function languageCode(lang: string | null | undefined): string | undefined {
  if (lang === null || lang === undefined || lang.trim() === '') return undefined
  const code = lang.trim().toLowerCase().replaceAll('-', '_')
  if (code === 'pt_br') return 'pt-br'
  const [short = code] = code.split(/[_@]/)
  return PLATFORM_CODES[short] ?? short
}
