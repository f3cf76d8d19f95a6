import type { HttpReply, HttpRequest } from '../../http-server.ts'
import type { Problems } from '../../problems.ts'
import { badValue, unprocessable } from './api-error.ts'
import { checkValue, type Finding } from './check-value.ts'
import { routeOf } from './description.ts'

export type Json = Record<string, unknown>

/**
 * Reads a body and refuses, with 422, what the API's description does not allow. Names that it does not know are taken out
 * there without a word, and deprecated ones are still taken; here both are a problem of the run.
 */
export function readBody(request: HttpRequest, problems: Problems): Json {
  const body = parseJson(request)
  checkBody(request, body, problems)
  return body
}

/** The same of a form, whose files count as texts. */
export function checkForm(request: HttpRequest, form: FormData, problems: Problems): void {
  checkBody(request, Object.fromEntries([...form].map(([key, value]) => [key, String(value)])), problems)
}

function checkBody(request: HttpRequest, body: Json, problems: Problems): void {
  const schema = routeOf(request)?.body
  if (schema === undefined) throw new Error(`the description has no body of ${request.method} ${request.path}`)
  const findings = checkValue(schema, body)
  const refused = findings.filter(({ kind }) => kind === 'missing' || kind === 'wrong')
  if (refused.length > 0) throw unprocessable(refused.map(toBodyProblem))
  for (const finding of findings) note(problems, `${request.method} ${request.path}`, finding)
  for (const { kind, place } of findings) if (kind === 'unknown') removeAt(body, place)
}

function removeAt(body: Json, place: Finding['place']): void {
  const inside = place.slice(0, -1).reduce<unknown>((part, key) => (part as Json)[key], body)
  delete (inside as Json)[String(place.at(-1))]
}

/** An answer that the real one would not give is a mistake of this emulator. */
export function checkReply(request: HttpRequest, { status, body }: HttpReply, problems: Problems): void {
  const schema = status === 200 ? routeOf(request)?.reply : undefined
  if (schema === undefined) return
  const answer: unknown = JSON.parse(String(body ?? 'null'))
  for (const finding of checkValue(schema, answer)) {
    if (finding.kind === 'deprecated') continue
    note(problems, `the answer to ${request.method} ${request.path}`, finding)
  }
}

export function parseJson({ body }: HttpRequest): Json {
  try {
    const read: unknown = JSON.parse(body.toString('utf8'))
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Json
  } catch {
    // Refused below.
  }
  throw badValue([], 'JSON decode error')
}

function note(problems: Problems, where: string, { place, message }: Finding): void {
  problems.add({ where: 'voiceai', message: `${where}: ${place.join('.')}: ${message}` })
}

function toBodyProblem({ kind, place, message }: Finding): {
  loc: (string | number)[]
  msg: string
  type: string
} {
  return { loc: ['body', ...place], msg: message, type: kind === 'missing' ? 'missing' : 'value_error' }
}
