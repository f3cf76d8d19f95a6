import type { HttpRequest } from '../../http-server.ts'
import { badRequest } from './rest-error.ts'

/** Reads a JSON body. Throws what the API refuses. */
export function readJson({ body, headers }: HttpRequest): Record<string, unknown> {
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
