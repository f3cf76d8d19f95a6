import { readSid } from '../../../ledger/legs/provider-form.ts'
import type { SettingsSnapshot } from '../../../platform/settings/settings.ts'
import { markupUrl, statusUrl } from '../../applications/webhook-url.ts'
import { apiUrlProblem, parseApiUrl } from '../../client/api-url.ts'
import type { StatusReport } from '../../markup/dial.ts'
import { hangup, type SpeechOptions, say } from '../../markup/voice.ts'
import type { TelcoRequest } from '../../webhooks/request.ts'
import type { DialPlan } from '../dial-plan.ts'
import { UnroutableError } from './plan.ts'

/** The call that is routed. */
export interface RoutedCall {
  readonly sid: string
  /** The ledger's call, when it is known. */
  readonly callId: number | undefined
  /** Raw parties: numbers, or `sip:` and `client:` addresses; never with `whatsapp:`. */
  readonly caller: string
  readonly called: string
  /** We called the other party, not they us. */
  readonly isOutbound: boolean
  /** Fields of the request, for templates. */
  readonly fields: Readonly<Record<string, string>>
  /** What was dialled, as the request has it: the target of a forward, else the called party. */
  readonly dialled: string
  /** The leg that was dialled, in what is reported of its end; empty otherwise. */
  readonly dialledLeg: string
  /** Somebody forwards it from the page, where it was counted among the outgoing calls. */
  readonly isCounted?: boolean
  /** A voice agent has talked with the caller, and puts them through. */
  readonly isByAgent?: boolean
}

/** What the ledger knows of a call when it is routed; nothing while the database is away. */
export interface RoutingFacts {
  /** The contact whom the ledger takes the other side for. */
  readonly partner?: { readonly id: number; readonly name: string } | undefined
  /** The login that the ledger's call was made by. */
  readonly loginName?: string | undefined
  /** Ring steps that were tried in this call. */
  readonly tried: readonly number[]
  /** The ring step that followed the end of the dialled leg; 0 when none did. Undefined when it was not reported yet. */
  readonly dialEnd?: number | undefined
  /** The party of the dialled leg whose end is reported. */
  readonly dialled?: string | undefined
  /** The calls of the day are used up, of the company or of the colleague who calls. */
  readonly isLimitReached: boolean
}

export const NO_FACTS: RoutingFacts = { tried: [], isLimitReached: false }

/** The settings that decide where a call goes. */
export type RoutingSettings = Pick<
  SettingsSnapshot,
  | 'apiUrl'
  | 'telcoEdge'
  | 'country'
  | 'voiceaiEnabled'
  | 'announcesRecordings'
  | 'callDurationLimitSeconds'
  | 'barredPrefixes'
  | 'mobileCountries'
>

/** What one decision is made from: the call, what is known of it, and how the call came here. All of it is plain values. */
export interface RouteContext {
  readonly call: RoutedCall
  readonly plan: DialPlan
  readonly facts: RoutingFacts
  readonly settings: RoutingSettings
  readonly now: Date
  /** This stands in for something that failed already: nothing stands in for it again, so that no call goes in circles. */
  readonly isFallback: boolean
  /** The same was asked for before: what is answered is the same, and nothing moves. */
  readonly isRepeated: boolean
  /** Wrong inputs in this call so far. */
  readonly invalidRounds: number
  /** Applications that were passed through on the way here. */
  readonly hops: number
  /** The number of ours that is being answered: it is not called again. */
  readonly answering: string | undefined
  /** How the person who has answered so far speaks: a number, or a call flow that leads on. */
  readonly speech: SpeechOptions | undefined
}

/** State that travels with the call in the query of the addresses it comes back to. */
const FALLBACK = 'fallback'
const INVALID_ROUNDS = 'invalid'

/** The call of a request. */
export function callOfRequest({ form, query, event }: TelcoRequest, callId: number | undefined): RoutedCall {
  const forwardTo = form.forward_to || query.get('forward_to')
  return {
    sid: event?.sid ?? '',
    callId,
    caller: event?.caller ?? '',
    called: event?.called ?? '',
    isOutbound: event?.direction === 'outbound-api',
    fields: form,
    dialled: forwardTo || form.To || event?.called || '',
    dialledLeg: readSid(form.DialCallSid),
    // A browser phone chooses fields of the form itself; the address is ours.
    isCounted: !form.forward_to && query.has('forward_to'),
  }
}

/** What a decision is made from beside the call. */
interface RouteParts extends Pick<RouteContext, 'plan' | 'settings' | 'now'> {
  readonly facts?: RoutingFacts
}

/** Where a decision begins: the call, and what of the state that travels with it the query of its address says. */
export function contextOf(
  call: RoutedCall,
  { plan, settings, now, facts = NO_FACTS }: RouteParts,
  query = new URLSearchParams(),
): RouteContext {
  return {
    call,
    plan,
    facts,
    settings,
    now,
    isFallback: query.get(FALLBACK) === '1',
    invalidRounds: Number(/^\d{1,2}$/.exec(query.get(INVALID_ROUNDS) ?? '')?.[0] ?? 0),
    hops: 0,
    answering: undefined,
    speech: undefined,
    isRepeated: false,
  }
}

/**
 * An address of ours for more markup, its parameters in alphabetical order: anyone who sorts them on the way changes nothing of
 * what is signed. Throws `UnroutableError` without an API URL. */
export function actionUrl(context: RouteContext, path: string, query: readonly string[] = []): string {
  const all = (context.isFallback ? [...query, `${FALLBACK}=1`] : query).toSorted()
  return required(context, (base, edge) => markupUrl(base, all.length === 0 ? path : `${path}?${all.join('&')}`, edge))
}

/** The address that the input of a call flow is sent to. */
export function gatherUrl(context: RouteContext, flowId: number): string {
  const { invalidRounds } = context
  const query = invalidRounds === 0 ? [] : [`${INVALID_ROUNDS}=${invalidRounds}`]
  return actionUrl(context, `/telco/webhook/callflow/${flowId}/gather`, query)
}

/** An address of ours for reports: `callstatus`, `recordingstatus` or `vm_recordingstatus`. */
export function reportUrl(context: RouteContext, kind: string): string {
  return required(context, (base, edge) => statusUrl(base, `/telco/webhook/${kind}`, edge))
}

/** What is reported of a leg that is dialled for one party. */
export function legReports(context: RouteContext): StatusReport {
  return { url: reportUrl(context, 'callstatus'), events: ['initiated', 'answered', 'completed'] }
}

function required({ settings }: RouteContext, build: (base: string, edge: string) => string | null): string {
  const { apiUrl, telcoEdge } = settings
  const url = apiUrl === undefined || parseApiUrl(apiUrl) === undefined ? null : build(apiUrl, telcoEdge)
  if (url !== null) return url
  throw new UnroutableError('there is no API URL', {
    verbs: () => [say(apiUrlProblem(undefined)?.message ?? ''), hangup()],
  })
}
