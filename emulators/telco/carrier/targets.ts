import type { MarkupElement } from '../markup/element.ts'
import type { Subscription } from './call-status.ts'
import { subscription } from './call-status.ts'

export type TargetKind = 'number' | 'client' | 'sip' | 'whatsapp'

/** Something that one dial rings. */
export interface Target {
  readonly kind: TargetKind
  /** As callbacks name it: `+1…`, `client:ann`, `sip:ann@acme.sip.twilio.com`, `whatsapp:+1…`. */
  readonly to: string
  /** Under which somebody is found. */
  readonly key: string
  /** SIP headers, or parameters for a web phone. */
  readonly extras: Readonly<Record<string, string>>
  readonly subscription: Subscription | undefined
  /** Markup that the callee hears before being connected. */
  readonly screening: { readonly address: string; readonly method: 'GET' | 'POST' } | undefined
}

const KINDS: Readonly<Record<string, TargetKind>> = {
  Number: 'number',
  Client: 'client',
  Sip: 'sip',
  WhatsApp: 'whatsapp',
}
const SIP_URI_CHARS_MAX = 255

/** The targets of a `Dial`: its nouns, or the number that is its text. */
export function readTargets(dial: MarkupElement): { targets: Target[]; problems: string[] } {
  const targets: Target[] = []
  const problems: string[] = []
  const text = dial.text.trim()
  if (text !== '') targets.push(target('number', text, {}))
  for (const noun of dial.children) {
    const kind = KINDS[noun.name]
    if (kind === undefined) {
      problems.push(`<${noun.name}> in <Dial> is not played by this emulator`)
      continue
    }
    const read = readNoun(kind, noun)
    targets.push(read)
    problems.push(...targetProblems(read))
  }
  return { targets, problems }
}

function readNoun(kind: TargetKind, noun: MarkupElement): Target {
  const identity = noun.children.find((child) => child.name === 'Identity')
  const parameters = noun.children.filter((child) => child.name === 'Parameter')
  const written = (identity ?? noun).text.trim()
  const extras = Object.fromEntries(parameters.map(({ attributes: { name = '', value = '' } }) => [name, value]))
  return target(kind, written, noun.attributes, extras)
}

function target(
  kind: TargetKind,
  written: string,
  attributes: Readonly<Record<string, string>>,
  parameters: Readonly<Record<string, string>> = {},
): Target {
  const { statusCallback, statusCallbackEvent: events, statusCallbackMethod, url, method } = attributes
  const { to, extras } = toAddress(kind, written)
  return {
    kind,
    to,
    key: partyKey(to),
    extras: { ...extras, ...parameters },
    subscription: subscription(statusCallback, { events, method: statusCallbackMethod }),
    screening: url === undefined ? undefined : { address: url, method: method === 'GET' ? 'GET' : 'POST' },
  }
}

function toAddress(kind: TargetKind, written: string): { to: string; extras: Record<string, string> } {
  switch (kind) {
    case 'number':
      return { to: written.replaceAll(/[\s().-]/g, ''), extras: {} }
    case 'client': {
      const [identity = '', query = ''] = written.split('?', 2)
      return {
        to: `client:${identity.replace(/^client:/, '')}`,
        extras: Object.fromEntries(new URLSearchParams(query)),
      }
    }
    case 'sip': {
      const [uri = '', query = ''] = written.split('?', 2)
      return { to: uri, extras: Object.fromEntries(new URLSearchParams(query)) }
    }
    case 'whatsapp':
      return { to: `whatsapp:${written.replace(/^whatsapp:/, '')}`, extras: {} }
  }
}

function targetProblems({ kind, to, extras }: Target): string[] {
  if (kind === 'number' && !/^\+\d{2,15}$/.test(to)) return [`13224 the number ${to} cannot be dialled`]
  if (kind === 'whatsapp' && !/^whatsapp:\+\d{2,15}$/.test(to)) return [`13224 the number ${to} cannot be dialled`]
  if (kind !== 'sip') return []
  const problems = /^sips?:[^@\s]+@[^@\s]+$/.test(to) ? [] : [`13243 ${to} is no SIP address`]
  if (to.length > SIP_URI_CHARS_MAX)
    problems.push(`13243 the SIP address has more than ${SIP_URI_CHARS_MAX} characters`)
  const refused = Object.keys(extras).filter((name) => !/^(?:X-|User-to-User$)/i.test(name))
  return [...problems, ...refused.map((name) => `the SIP header ${name} is not passed on, only X- headers are`)]
}

/** The key under which a party is found: without the parameters, port and edge of a SIP address. */
export function partyKey(address: string): string {
  const sip = /^sips?:([^@;]+)@([^;:]+)/i.exec(address)
  if (sip === null) return address
  const host = (sip[2] ?? '').toLowerCase().replace(/^([^.]+)\.sip\.[a-z0-9-]+\.twilio\.com$/, '$1.sip.twilio.com')
  return `sip:${decodeURIComponent(sip[1] ?? '')}@${host}`
}

/** The host of a SIP address, without port and parameters. */
export function sipHostOf(address: string): string {
  return partyKey(address).split('@')[1] ?? ''
}
