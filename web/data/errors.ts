/** What an answer that is none means to the page. */
export type ErrorKind = 'signed-out' | 'forbidden' | 'gone' | 'taken' | 'refused' | 'busy' | 'unavailable' | 'broken'

interface FieldProblem {
  /** The field by its name; null for what is about the record as a whole. */
  field: string | null
  message: string
}

/** A request that the service refused, or that did not reach it; `message` is the service's own sentence. */
export class ApiError extends Error {
  readonly kind: ErrorKind
  readonly status: number
  readonly problems: readonly FieldProblem[]
  /** When the same may work again. */
  readonly retryAt: Date | undefined

  constructor(status: number, message: string, problems: readonly FieldProblem[] = [], retryAt?: Date) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.kind = kindOf(status)
    this.problems = problems
    this.retryAt = retryAt
  }
}

const KINDS: Readonly<Record<number, ErrorKind>> = {
  0: 'unavailable',
  401: 'signed-out',
  403: 'forbidden',
  404: 'gone',
  409: 'taken',
  429: 'busy',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
}

export function kindOf(status: number): ErrorKind {
  return KINDS[status] ?? (status >= 500 ? 'broken' : 'refused')
}

/** The error in an answer's body, as the service words it. */
export function readError(status: number, body: unknown, retryAfter?: string | null): ApiError {
  const { message, context } = isObject(body) ? body : {}
  const problems = isObject(context) && Array.isArray(context.problems) ? context.problems.filter(isProblem) : []
  const seconds = Number(retryAfter ?? '')
  const retryAt = seconds > 0 ? new Date(Date.now() + seconds * 1_000) : undefined
  const sentence = typeof message === 'string' ? message : `The service answered ${status}.`
  return new ApiError(status, sentence, problems, retryAt)
}

/** What is wrong, in a sentence. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Whether the same request may work in a moment. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'unavailable'
}

function isProblem(value: unknown): value is FieldProblem {
  return isObject(value) && typeof value.message === 'string'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
