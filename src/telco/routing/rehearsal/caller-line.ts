import { randomBytes } from 'node:crypto'
import { parseApiUrl } from '../../client/api-url.ts'
import { AGENT_SIP_HOST } from '../../client/hosts.ts'
import { type MarkupElement, parseMarkup } from '../../markup/parse.ts'

/** What happened to the caller, one after the other. */
export interface Step {
  readonly what: 'hears' | 'presses' | 'says' | 'waits' | 'phone' | 'agent' | 'leaves a message' | 'note' | 'ends'
  readonly detail: string
}

/** What the caller does when asked, in order: keys, or words. */
export type Input = { readonly press: string } | { readonly say: string }

/** The service at the other end of the line. */
export interface FarEnd {
  /** The document behind an address of ours; undefined when it is none of ours. */
  answer(address: string, fields: Readonly<Record<string, string>>): Promise<string | undefined>
  /** The text that generated audio was made of; undefined for other audio. */
  textOfAudio(address: string): Promise<string | undefined>
  nameOfAgent(agentUid: string): Promise<string | undefined>
  /** Reports that these phones ring, and that nobody answers; nothing is reported when left out. */
  ring?(phones: readonly MarkupElement[]): Promise<void>
}

/** A call that asks for more documents than this goes round in circles. */
const DOCUMENTS_MAX = 30
const GATHER_SECONDS_DEFAULT = 5
const SID_BYTES = 16
/** What all our addresses that the phone provider asks begin with. */
export const WEBHOOKS = '/telco/webhook'
const RING_SECONDS_DEFAULT = 30

interface Next {
  readonly address: string
  readonly fields: Readonly<Record<string, string>>
}

/** The fields that every request of a new leg has, with an id that no other leg has. */
export function legFields({
  from,
  to,
  accountSid,
}: {
  from: string
  to: string
  accountSid: string | null | undefined
}) {
  return {
    CallSid: `CA${randomBytes(SID_BYTES).toString('hex')}`,
    AccountSid: accountSid ?? '',
    ApiVersion: '2010-04-01',
    From: from,
    Caller: from,
    To: to,
    Called: to,
  }
}

/** Path and query below `/telco/webhook`; undefined for what is not at our own address. */
export function ownTarget(apiUrl: string | null | undefined, address: string): string | undefined {
  const own = parseApiUrl(apiUrl ?? '') === undefined ? '' : String(apiUrl).replace(/\/+$/, '')
  const written = own !== '' && address.startsWith(`${own}/`) ? address.slice(own.length) : address
  const target = written.split('#', 1)[0] ?? ''
  return target.startsWith(`${WEBHOOKS}/`) ? target.slice(WEBHOOKS.length) : undefined
}

/**
 * Carries out a call as the provider does, without any telephone: prompts are written down, every phone rings and nobody
 * answers, and the caller does what `inputs` say whenever something is asked.
 */
export async function playCall(farEnd: FarEnd, address: string, inputs: readonly Input[]): Promise<Step[]> {
  const line = new CallerLine(farEnd, inputs)
  let next: Next | undefined = { address, fields: {} }
  for (let count = 0; next !== undefined; count += 1) {
    if (count === DOCUMENTS_MAX) {
      line.note(`The call goes round in circles: it was ended after ${DOCUMENTS_MAX} steps.`)
      break
    }
    const document = await farEnd.answer(next.address, next.fields)
    next = document === undefined ? line.note(`The call goes on at ${next.address}.`) : await line.play(document)
  }
  return line.end()
}

class CallerLine {
  readonly #farEnd: FarEnd
  readonly #inputs: Input[]
  readonly #steps: Step[] = []

  constructor(farEnd: FarEnd, inputs: readonly Input[]) {
    this.#farEnd = farEnd
    this.#inputs = [...inputs]
  }

  note(detail: string): undefined {
    this.#add('note', detail)
  }

  /** Everything that happened, the inputs that nobody asked for last. */
  end(): Step[] {
    this.#add('ends', 'The call is over.')
    for (const input of this.#inputs) this.note(`Nothing asked for ${shown(input)}.`)
    return this.#steps
  }

  /** Plays one document; gives what the call asks for next, undefined when it is over. */
  async play(markup: string): Promise<Next | undefined> {
    const parsed = parseMarkup(markup)
    if ('problem' in parsed) return this.note(`Twilio cannot read the answer: ${parsed.problem}`)
    for (const verb of parsed.elements[0]?.children ?? []) {
      const next = await this.#perform(verb)
      if (next !== undefined) return next === 'over' ? undefined : next
    }
    return undefined
  }

  async #perform(verb: MarkupElement): Promise<Next | 'over' | undefined> {
    switch (verb.name) {
      case 'Say':
      case 'Play':
      case 'Pause':
        return this.#prompt(verb)
      case 'Gather':
        return this.#gather(verb)
      case 'Dial':
        return this.#dial(verb)
      case 'Record':
        return this.#record(verb)
      case 'Redirect':
        return { address: verb.text.trim(), fields: {} }
      case 'Hangup':
      case 'Reject':
        return 'over'
      case 'Connect':
        this.#add('agent', 'A stream takes the call; what is said there is not played.')
        return 'over'
      default:
        return this.note(`<${verb.name}> is not played here.`)
    }
  }

  async #prompt({ name, text, attributes }: MarkupElement): Promise<undefined> {
    if (name === 'Say') this.#add('hears', [text.trim(), attributes.language].filter(Boolean).join('  · '))
    if (name !== 'Play') return
    const address = text.trim()
    const words = await this.#farEnd.textOfAudio(address)
    this.#add('hears', words === undefined ? `(an audio file: ${address})` : `${words}  · generated speech`)
  }

  async #gather(verb: MarkupElement): Promise<Next | undefined> {
    for (const child of verb.children) await this.#prompt(child)
    const { action = '', numDigits, timeout = String(GATHER_SECONDS_DEFAULT), input: kinds = 'dtmf' } = verb.attributes
    const input = this.#inputs.shift()
    if (input === undefined) {
      this.#add('waits', `${timeout} s for ${wanted(kinds, numDigits)}, and nothing comes`)
      return undefined
    }
    const isListenedFor = kinds.split(' ').includes('press' in input ? 'dtmf' : 'speech')
    if (!isListenedFor) return this.note(`Here ${wanted(kinds, numDigits)} would be taken, not ${shown(input)}.`)
    if ('say' in input) {
      this.#add('says', input.say)
      return { address: action, fields: { SpeechResult: input.say, Confidence: '0.9' } }
    }
    const digits = numDigits === undefined ? input.press : input.press.slice(0, Number(numDigits))
    const rest = input.press.slice(digits.length)
    if (rest !== '') this.#inputs.unshift({ press: rest })
    this.#add('presses', digits)
    return { address: action, fields: { Digits: digits } }
  }

  async #dial({ attributes, children, text }: MarkupElement): Promise<Next | 'over' | undefined> {
    const parties = children.map(partyOf).concat(text.trim() === '' ? [] : [text.trim()])
    const agentUid = parties.map(agentOf).find((uid) => uid !== undefined)
    if (agentUid !== undefined) {
      const name = await this.#farEnd.nameOfAgent(agentUid)
      this.#add('agent', `The voice agent ${name ?? agentUid} takes the call.`)
      return 'over'
    }
    await this.#farEnd.ring?.(children)
    const { timeout = String(RING_SECONDS_DEFAULT), action } = attributes
    // They ring at once; one line each is what people read.
    for (const party of parties) this.#add('phone', `${nameOf(party)} rings for ${timeout} s; no one answers`)
    return action === undefined ? undefined : { address: action, fields: { DialCallStatus: 'no-answer' } }
  }

  #record({ attributes: { playBeep, maxLength } }: MarkupElement): 'over' {
    const short = maxLength === undefined ? 'and hangs up' : `${maxLength} s at most, and hangs up`
    const long =
      maxLength === undefined ? 'after a tone, and hangs up' : `after a tone, ${maxLength} s at most, and hangs up`
    this.#add('leaves a message', playBeep === 'false' ? short : long)
    return 'over'
  }

  #add(what: Step['what'], detail: string): void {
    this.#steps.push({ what, detail })
  }
}

/** A phone by its kind and address: `Client ann@acme.sip.twilio.com`. */
function partyOf({ name, text, children }: MarkupElement): string {
  const identity = children.find((child) => child.name === 'Identity')
  return `${name} ${(identity?.text ?? text).trim()}`
}

function agentOf(party: string): string | undefined {
  const [, uid, host] = /^Sip sip:([^@]+)@([^?]+)/.exec(party) ?? []
  return uid !== undefined && host === AGENT_SIP_HOST ? decodeURIComponent(uid) : undefined
}

/** A phone as people call it, without its domain and the headers for it. */
function nameOf(party: string): string {
  const [, kind, who = party] = /^(Client|Sip) (?:sips?:)?([^@?;]+)/.exec(party) ?? []
  if (kind === 'Client') return `web phone ${who}`
  return kind === 'Sip' ? `SIP phone ${who}` : party.replace(/^Number /, '')
}

function shown(input: Input): string {
  return 'press' in input ? `the keys ${input.press}` : `“${input.say}”`
}

function wanted(kinds: string, numDigits: string | undefined): string {
  const keys = numDigits === '1' ? 'one key' : `${numDigits ?? 'any number of'} keys`
  const ways = kinds.split(' ')
  if (!ways.includes('speech')) return keys
  return ways.includes('dtmf') ? `${keys} or words` : 'words'
}
