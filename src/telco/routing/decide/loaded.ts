import type { RowOf } from '../../../platform/model/model.ts'
import type { markupModel } from '../../applications/application.ts'
import type { SpeechOptions } from '../../markup/voice.ts'
import type { numberModel } from '../../numbers/number.ts'
import type { BusinessHours } from './business-hours.ts'
import type { Choice } from './match-choice.ts'
import type { Speech } from './speech.ts'

type Link = 'user' | 'callflow' | 'markup' | 'voiceai_agent'
type ClosedField = 'closed_exten' | 'closed_message'

/** A number of ours, and what answers it. */
export interface OurNumber extends RowOf<typeof numberModel, 'destination' | Link | 'language' | ClosedField> {
  /** Undefined: always open. */
  readonly hours: BusinessHours | undefined
}

/** A call flow as answering a call needs it. */
export interface Callflow {
  readonly id: number
  readonly speech: FlowSpeech
  /** How input is asked for; undefined when the flow asks for none. */
  readonly gather: GatherSettings | undefined
  /** Wrong inputs in one call, in this and other flows; after the last nothing is asked any more. */
  readonly roundsMax: number
  readonly prompt: Speech | undefined
  readonly invalidInput: Speech | undefined
  /** Only when voicemail is on and there is a prompt for it: both are needed. */
  readonly voicemailPrompt: Speech | undefined
  readonly recordsCalls: boolean
  /** Stands in when nobody answers and no message is taken; undefined when the flow has none. */
  readonly fallback: Fallback | undefined
  readonly choices: readonly Choice[]
  readonly devices: readonly Device[]
}

/** The language and the voice of the flow's texts. */
interface FlowSpeech {
  readonly language: string
  readonly voice: string | undefined
}

export interface GatherSettings {
  readonly input: 'dtmf' | 'speech' | 'dtmf speech'
  readonly timeoutSeconds: number
  readonly digits: number
  readonly hints: string | undefined
}

/** A phone that rings. */
export interface Device {
  readonly type: 'client' | 'sip'
  /** `username@host`. */
  readonly address: string
  /** 0 for the phone its user rings first. */
  readonly rank: number
}

/** One step of ringing somebody. */
export interface RingStep {
  readonly id: number
  readonly type: 'client' | 'sip' | 'voicemail'
}

/** A phone user as ringing needs it. */
export interface RingingUser {
  readonly id: number
  /** `username@host`; without it no phone can be rung. */
  readonly address: string | undefined
  readonly timeoutSeconds: { readonly client: number; readonly sip: number }
  readonly recordsCalls: boolean
  readonly speech: SpeechOptions
  readonly greeting: Speech | undefined
  readonly voicemailPrompt: Speech
  /** Steps in their order. */
  readonly steps: readonly RingStep[]
  /** Steps that the ledger's call has tried. */
  readonly tried: readonly number[]
}

/** Who calls, as far as it is one of us, and whom the ledger takes the other side for. */
export interface Parties {
  readonly caller: CallingUser | undefined
  readonly defaultCallerId: string | undefined
  readonly partner: { readonly id: number; readonly name: string } | undefined
  /** The login that the ledger's call was made by. */
  readonly loginName: string | undefined
}

/** A phone user of ours who is calling. */
export interface CallingUser {
  readonly name: string
  readonly extension: string | undefined
  /** The user who signs in as this one, where there is one. */
  readonly login: number | undefined
  readonly outgoingCallerId: string | undefined
  readonly defaultCallerId: string | undefined
  /** `username@host`, when the user has both. */
  readonly address: string | undefined
  readonly recordsCalls: boolean
  readonly speech: SpeechOptions
}

/** An extension, and what it leads to. */
export interface Extension {
  readonly id: number
  readonly number: string
  readonly model: string | null
  readonly res_id: number | null
}

/** A voice agent as handing a call over needs it. */
export interface Agent {
  readonly id: number
  readonly agentUid: string | undefined
  readonly isRegistered: boolean
  readonly fallback: Fallback
  readonly defaultCallerId: string | undefined
}

/** An application: markup under a name, or the route that it names. */
export type Application = RowOf<typeof markupModel, 'id' | 'code_type' | 'markup' | 'model' | 'method'>

/** What stands in for a destination that fails: an extension, else a sentence. */
export interface Fallback {
  readonly exten: number | null
  readonly message: string | null
  /** BCP-47, of the sentence. */
  readonly language: string | undefined
}

/** The ring step that followed the end of a leg; 0 when what followed was none. Undefined when it was not reported yet. */
type FollowingStep = number | undefined

/** Everything that a decision may ask for: by what it is found, and what is found. */
export interface Facts {
  ourNumber: { key: string; value: OurNumber | undefined }
  numberFallback: { key: string; value: Fallback | undefined }
  extension: { key: number; value: Extension | undefined }
  extensionByNumber: { key: string; value: Extension | undefined }
  extensionsByPattern: { key: string; value: readonly Extension[] }
  user: { key: number; value: RingingUser | undefined }
  callflow: { key: number; value: Callflow | undefined }
  agent: { key: number; value: Agent | undefined }
  application: { key: number; value: Application | undefined }
  /** Of the call itself. */
  parties: { key: 'of the call'; value: Parties }
  /** Counts the call, by the login of who makes it; whose limit of the day was reached before. */
  outgoingReached: { key: number; value: 'company' | 'user' | undefined }
  /** By the leg that was dialled. */
  dialEnd: { key: string; value: FollowingStep }
}

/** One fact that a decision asks for. */
export type Need = { [What in keyof Facts]: { readonly what: What; readonly key: Facts[What]['key'] } }[keyof Facts]

/** A decision cannot go on without this; it is taken again, from its beginning, once it is loaded. */
export class MissingFact extends Error {
  override readonly name = 'MissingFact'
  readonly need: Need

  constructor(need: Need) {
    // Nobody reads where it came from, and finding that out costs more than the decision itself.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(`${need.what} ${need.key} is not loaded`)
    Error.stackTraceLimit = stackTraceLimit
    this.need = need
  }
}

/** The facts that were loaded so far, also those that were looked for and not found. */
export class Loaded {
  readonly #facts = new Map<string, unknown>()

  /** The fact, which may be that there is none. Throws `MissingFact` while it is not loaded. */
  get<What extends keyof Facts>(what: What, key: Facts[What]['key']): Facts[What]['value'] {
    const name = `${what} ${key}`
    if (!this.#facts.has(name)) throw new MissingFact({ what, key } as Need)
    return this.#facts.get(name) as Facts[What]['value']
  }

  has({ what, key }: Need): boolean {
    return this.#facts.has(`${what} ${key}`)
  }

  set({ what, key }: Need, value: unknown): void {
    this.#facts.set(`${what} ${key}`, value)
  }
}
