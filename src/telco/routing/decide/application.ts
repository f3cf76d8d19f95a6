import { asError } from '../../../errors.ts'
import { fillTemplate } from '../../applications/template.ts'
import { answerProblem } from '../../markup/document.ts'
import { outsideNumbers } from '../../markup/outside-numbers.ts'
import { isBarred, NO_USER } from '../../outgoing/outgoing-limits.ts'
import type { Application } from '../dial-plan.ts'
import { partiesOf } from './caller-id.ts'
import { type RouteContext, reportUrl } from './context.ts'
import { type CallPlan, UnroutableError } from './plan.ts'
import { CALL_NOT_ALLOWED, SYSTEM_ERROR } from './spoken-endings.ts'

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
    return { kind: 'markup', ...fillApplication(context, application), effects: [] }
  }
  throw systemError(context, `application ${application.id} is of the type ${application.code_type}`)
}

function fillApplication(context: RouteContext, { id, markup }: Application): { markup: string; counts?: number } {
  const fields = {
    ...context.call.fields,
    recording_voice_status_url: reportUrl(context, 'recordingstatus'),
    call_voice_status_url: reportUrl(context, 'callstatus'),
  }
  const filled = attempt(() => fillTemplate(markup, fields))
  const counts = typeof filled === 'string' ? countedFor(context, { markup, filled }) : undefined
  if (counts === 'barred' || (counts !== undefined && context.facts.isLimitReached)) {
    throw new UnroutableError(`application ${id} dials a number that is barred, or one more than the calls of a day`, {
      verbs: CALL_NOT_ALLOWED,
      speech: context.speech,
    })
  }
  const problem = filled instanceof Error ? filled.message : answerProblem(filled)
  if (problem === undefined && typeof filled === 'string') {
    return counts === undefined ? { markup: filled } : { markup: filled, counts }
  }
  throw systemError(context, `application ${id}: ${problem}`)
}

/**
 * For whom what a document calls is counted, or that it calls or writes to a number that is barred: a caller may have chosen it. A
 * call that one of us makes by it, or that somebody outside has it make to a number of their choice, is counted among the calls of a
 * day; a number that the application has itself is where calls that come in are sent on to, and they are lost for no limit.
 */
function countedFor(
  context: RouteContext,
  { markup, filled }: Record<'markup' | 'filled', string>,
): number | 'barred' | undefined {
  const { called, writtenTo } = outsideNumbers(filled)
  if ([...called, ...writtenTo].some((number) => isBarred(context.settings, number))) return 'barred'
  if (called.length === 0 || context.call.isCounted === true) return undefined
  const { caller } = partiesOf(context)
  const own = new Set(outsideNumbers(markup).called)
  if (caller === undefined && called.every((number) => own.has(number))) return undefined
  return caller?.login ?? NO_USER
}

function attempt<Result>(work: () => Result): Result | Error {
  try {
    return work()
  } catch (error) {
    return asError(error)
  }
}

/** What a caller hears as an error of the system. */
export function systemError({ speech }: RouteContext, message: string): UnroutableError {
  return new UnroutableError(message, { verbs: SYSTEM_ERROR, speech })
}
