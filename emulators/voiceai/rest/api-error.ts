import { type HttpReply, jsonReply } from '../../http-server.ts'

/** Something wrong at one place of a body, as the API tells it. */
export interface BodyProblem {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
}

/** A refusal as the API words it. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly detail: unknown

  constructor(status: number, detail: unknown) {
    super(JSON.stringify(detail))
    this.status = status
    this.detail = detail
  }

  toReply(): HttpReply {
    return jsonReply(this.status, { detail: this.detail }, { 'x-request-id': crypto.randomUUID() })
  }
}

export function refuse(status: number, code: string, message: string): ApiError {
  return new ApiError(status, { status: code, message })
}

export function notFound(kind: string, id: string): ApiError {
  return refuse(404, `${kind}_not_found`, `The ${kind} ${id} was not found.`)
}

/** The body is not what the API takes (422). */
export function unprocessable(problems: readonly BodyProblem[]): ApiError {
  return new ApiError(422, problems)
}

export function badValue(loc: readonly (string | number)[], msg: string): ApiError {
  return unprocessable([{ loc: ['body', ...loc], msg, type: 'value_error' }])
}
