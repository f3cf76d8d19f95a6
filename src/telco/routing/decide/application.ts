import { asError } from '../../../errors.ts'
import { fillTemplate } from '../../applications/template.ts'
import { answerProblem } from '../../markup/document.ts'
import { isBarred } from '../../outgoing/outgoing-limits.ts'
import { type RouteContext, reportUrl } from './context.ts'
import type { Application } from './loaded.ts'
import { type CallPlan, UnroutableError } from './plan.ts'
import { CALL_NOT_ALLOWED, SYSTEM_ERROR } from './sentences.ts'

/** Numbers in `<Dial>`, `<Number>` and `<WhatsApp>`, or in the `to` of `<Message>` and `<Sms>`. */
const OUTSIDE =
  /<(?:Dial|Number|WhatsApp)\b[^>]*>\s*([+\d][\d\s().-]*)|<(?:Message|Sms)\b[^>]*\bto\s*=\s*["']\s*([+\d][\d\s().-]*)/g
const SEPARATORS = /[\s().-]/g
/** Applications that one answer passes through: they can stand for the route that leads back to them. */
const HOPS_MAX = 3

/** The application stands for the route of calls that our phones make. Throws `UnroutableError` for another route. */
export function isDomainRoute(context: RouteContext, { id, code_type: type, model, method }: Application): boolean {
  if (type !== 'model_method') return false
  if (model === 'connect.telco.domain' && method === 'route_call') return true
  throw systemError(context, `application ${id} names ${model}.${method}`)
}

/** Throws `UnroutableError` when the call has passed through so many applications that it goes in circles. */
export function requireHop(context: RouteContext, { id }: Application): void {
  if (context.hops >= HOPS_MAX) throw systemError(context, `application ${id} leads to itself`)
}

/** Answers with the markup of the application, filled in. */
export function applicationPlan(context: RouteContext, application: Application): CallPlan {
  if (application.code_type === 'markup') {
    return { kind: 'markup', markup: fillApplication(context, application), effects: [] }
  }
  throw systemError(context, `application ${application.id} is of the type ${application.code_type}`)
}

function fillApplication(context: RouteContext, { id, markup }: Application): string {
  const fields = {
    ...context.call.fields,
    recording_voice_status_url: reportUrl(context, 'recordingstatus'),
    call_voice_status_url: reportUrl(context, 'callstatus'),
  }
  const filled = attempt(() => fillTemplate(markup, fields))
  if (typeof filled === 'string' && dialsBarred(context, filled)) {
    throw new UnroutableError(`application ${id} dials a number that is barred`, {
      verbs: CALL_NOT_ALLOWED,
      speech: context.speech,
    })
  }
  const problem = filled instanceof Error ? filled.message : answerProblem(filled)
  if (problem === undefined && typeof filled === 'string') return filled
  throw systemError(context, `application ${id}: ${problem}`)
}

/** Whether markup calls or writes to a number that is never called: a caller may have chosen it. */
function dialsBarred({ settings }: RouteContext, markup: string): boolean {
  const numbers = markup
    .matchAll(OUTSIDE)
    .map(([, text = '', attribute = '']) => (text || attribute).replaceAll(SEPARATORS, ''))
  return numbers.some((number) => isBarred(settings, number))
}

function attempt<Result>(work: () => Result): Result | Error {
  try {
    return work()
  } catch (error) {
    return asError(error)
  }
}

function systemError({ speech }: RouteContext, message: string): UnroutableError {
  return new UnroutableError(message, { verbs: SYSTEM_ERROR, speech })
}
