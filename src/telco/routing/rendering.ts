import type { Env } from '../../platform/access/env.ts'
import { markupUrl, statusUrl } from '../applications/webhook-url.ts'
import { apiUrlProblem, parseApiUrl } from '../client/api-url.ts'
import { type SpeechOptions, sayAndHangup } from '../markup/voice.ts'
import type { TelcoRequest } from '../webhooks/request.ts'
import { type CallPlan, UnrenderableError } from './decide/plan.ts'

/** The call that markup is rendered for. */
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
}

/** What rendering one answer works with. */
export interface Rendering {
  readonly env: Env
  readonly call: RoutedCall
  readonly agentSipHost: string
  /** This stands in for something that failed already: nothing stands in for it again, so that no call goes in circles. */
  readonly isFallback: boolean
  /** The same was asked for before: what is answered is the same, and nothing moves. */
  readonly isRepeated: boolean
  /** Wrong inputs in this call so far. */
  readonly invalidRounds: number
  /** Applications that were passed through on the way here. */
  readonly hops: number
  /** How whoever has answered so far speaks: a number, or a call flow that leads on. */
  readonly speech: SpeechOptions | undefined
  /** Applications may stand for this route; the route leads to applications. */
  routeDomain(rendering: Rendering): Promise<CallPlan>
}

/** State that travels with the call in the query of the addresses it comes back to. */
const FALLBACK = 'fallback'
const INVALID_ROUNDS = 'invalid'

type Parts = Pick<Rendering, 'agentSipHost' | 'routeDomain'>

export function renderingOf(
  env: Env,
  { form, query, event, callId }: Omit<TelcoRequest, 'params'> & { callId: number | undefined },
  parts: Parts,
): Rendering {
  const forwardTo = form.forward_to || query.get('forward_to')
  const call: RoutedCall = {
    sid: event?.sid ?? '',
    callId,
    caller: event?.caller ?? '',
    called: event?.called ?? '',
    isOutbound: event?.direction === 'outbound-api',
    fields: form,
    dialled: forwardTo || form.To || event?.called || '',
  }
  const invalidRounds = Number(/^\d{1,2}$/.exec(query.get(INVALID_ROUNDS) ?? '')?.[0] ?? 0)
  return {
    ...parts,
    env,
    call,
    isFallback: query.get(FALLBACK) === '1',
    invalidRounds,
    hops: 0,
    speech: undefined,
    isRepeated: false,
  }
}

/** An address of ours for more markup. Throws `UnrenderableError` without an API URL. */
export function actionUrl(rendering: Rendering, path: string, query: readonly string[] = []): string {
  const all = rendering.isFallback ? [...query, `${FALLBACK}=1`] : query
  return required(rendering, (base, edge) =>
    markupUrl(base, all.length === 0 ? path : `${path}?${all.join('&')}`, edge),
  )
}

/** The address that the input of a call flow is sent to. */
export function gatherUrl(rendering: Rendering, flowId: number): string {
  const { invalidRounds } = rendering
  const query = invalidRounds === 0 ? [] : [`${INVALID_ROUNDS}=${invalidRounds}`]
  return actionUrl(rendering, `/telco/webhook/callflow/${flowId}/gather`, query)
}

/** An address of ours for reports: `callstatus`, `recordingstatus` or `vm_recordingstatus`. */
export function reportUrl(rendering: Rendering, kind: string): string {
  return required(rendering, (base, edge) => statusUrl(base, `/telco/webhook/${kind}`, edge))
}

function required({ env }: Rendering, build: (base: string, edge: string) => string | null): string {
  const { apiUrl, telcoEdge } = env.settings
  const url = apiUrl === undefined || parseApiUrl(apiUrl) === undefined ? null : build(apiUrl, telcoEdge)
  if (url !== null) return url
  throw new UnrenderableError('there is no API URL', {
    markup: () => sayAndHangup(apiUrlProblem(undefined) ?? ''),
  })
}
