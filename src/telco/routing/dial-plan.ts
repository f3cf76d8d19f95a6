import { usernameOf } from '../../ledger/legs/party.ts'
import type { RowOf } from '../../platform/model/model.ts'
import type { markupModel } from '../applications/application.ts'
import type { SpeechOptions } from '../markup/voice.ts'
import type { numberModel } from '../numbers/number.ts'
import type { BusinessHours } from './decide/is-open.ts'
import type { Choice } from './decide/match-choice.ts'
import type { Speech } from './decide/speech.ts'

type Link = 'user' | 'callflow' | 'markup' | 'voiceai_agent'
type ClosedField = 'closed_exten' | 'closed_message'

/** A number of ours, and what answers it. */
export interface OurNumber extends RowOf<typeof numberModel, 'destination' | Link | 'language' | ClosedField> {
  /** Undefined: always open. */
  readonly hours: BusinessHours | undefined
  /** Stands in for the destination when it fails. */
  readonly fallback: Fallback
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
  /** Ids of the phone users whose devices ring, also of those who have none. */
  readonly people: readonly number[]
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

/** What rings in a group; the rank is 0 for what its user rings first. */
export type Device =
  /** A phone of ours, at `username@host`. */
  | { readonly type: 'client' | 'sip'; readonly address: string; readonly rank: number }
  /** Somebody's own mobile, with its country. */
  | { readonly type: 'mobile'; readonly number: string; readonly rank: number }

/** One step of ringing somebody. */
export interface RingStep {
  readonly id: number
  readonly type: 'client' | 'sip' | 'mobile' | 'voicemail'
}

/** Somebody's own mobile, which is called like any number outside. */
export interface Mobile {
  /** E.164. */
  readonly number: string
  readonly seconds: number
}

/** A phone user as ringing needs it. */
export interface RingingUser {
  readonly id: number
  /** `username@host`; without it no phone can be rung. */
  readonly address: string | undefined
  readonly timeoutSeconds: { readonly client: number; readonly sip: number }
  readonly mobile: Mobile | undefined
  readonly recordsCalls: boolean
  readonly speech: SpeechOptions
  readonly greeting: Speech | undefined
  readonly voicemailPrompt: Speech
  /** Steps in their order. */
  readonly steps: readonly RingStep[]
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

/** A phone user: how it is rung, and how it calls. */
export interface PhoneUser {
  readonly username: string | null
  readonly ringing: RingingUser
  readonly calling: CallingUser
}

/** An extension, and what it leads to. */
export interface OurExtension {
  readonly id: number
  readonly number: string
  readonly model: string | null
  readonly res_id: number | null
  /** Somebody's own mobile, where it leads to that. */
  readonly mobile_number?: string | null
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

/** Everything that is configured about where calls go, as it was at one moment. */
export interface DialPlan {
  /** By the number with its `+`. */
  readonly numbers: ReadonlyMap<string, OurNumber>
  readonly extensions: ReadonlyMap<number, OurExtension>
  readonly extensionsByNumber: ReadonlyMap<string, OurExtension>
  /** Extensions whose number is a pattern, in the order of their numbers. */
  readonly patterns: readonly { readonly extension: OurExtension; readonly pattern: RegExp }[]
  readonly users: ReadonlyMap<number, PhoneUser>
  readonly usersByName: ReadonlyMap<string, PhoneUser>
  readonly callflows: ReadonlyMap<number, Callflow>
  readonly agents: ReadonlyMap<number, Agent>
  readonly applications: ReadonlyMap<number, Application>
  readonly defaultCallerId: string | undefined
}

/** No number that somebody dials is longer; patterns are not tried on more. */
const DIALLED_CHARS_MAX = 64

/** The extension with exactly this number. The provider writes `+` before bare extensions, which is taken off again. */
export function extensionOf({ extensionsByNumber }: DialPlan, number: string): OurExtension | undefined {
  return extensionsByNumber.get(number) ?? extensionsByNumber.get(/^\+(\d{1,4})$/.exec(number)?.[1] ?? number)
}

/** The extensions whose pattern the number fits as a whole. */
export function extensionsFitting({ patterns }: DialPlan, number: string): OurExtension[] {
  if (number.length > DIALLED_CHARS_MAX) return []
  return patterns.flatMap(({ extension, pattern }) => (pattern.test(number) ? [extension] : []))
}

/** The phone user who calls from this address; undefined for a stranger. */
export function callingUserOf({ usersByName }: DialPlan, caller: string): CallingUser | undefined {
  return usersByName.get(usernameOf(caller) ?? '')?.calling
}
