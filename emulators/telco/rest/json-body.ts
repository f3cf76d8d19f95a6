import type { HttpRequest } from '../../http-server.ts'
import type { Problems } from '../../problems.ts'
import { badRequest } from './rest-error.ts'

/** The names a body may hold, and what may stand in those that are objects; an empty list leaves the inside open. */
export type KnownNames = Readonly<Record<string, readonly string[]>>

/** Reads a JSON body. Names that the API would not understand, camelCase ones above all, are a problem of the run. */
export function readJson(request: HttpRequest, known: KnownNames, problems: Problems): Record<string, unknown> {
  const body = parse(request)
  const complain = (name: string): void =>
    problems.add({ where: 'telco', message: `${request.method} ${request.path} does not know ${name}` })
  for (const [name, value] of Object.entries(body)) {
    const inside = known[name]
    if (inside === undefined) complain(name)
    if (inside === undefined || inside.length === 0 || typeof value !== 'object' || value === null) continue
    for (const each of Object.keys(value)) if (!inside.includes(each)) complain(`${name}.${each}`)
  }
  return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(known, name)))
}

function parse({ body, headers }: HttpRequest): Record<string, unknown> {
  if (!headers['content-type']?.startsWith('application/json')) {
    throw badRequest(20001, 'The Content-Type must be application/json')
  }
  try {
    const read: unknown = JSON.parse(body.toString('utf8'))
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Record<string, unknown>
  } catch {
    // Refused below.
  }
  throw badRequest(20001, 'The body is no JSON object')
}
