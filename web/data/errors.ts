/** What an answer that is none means to the page. */
export type ErrorKind = 'signed-out' | 'forbidden' | 'gone' | 'taken' | 'refused' | 'busy' | 'unavailable' | 'broken'

/** One thing that is wrong with the values of a record. */
export interface FieldProblem {
  /** The field by its name; null for what is about the record as a whole. */
  field: string | null
  message: string
  /** Of a part of the record: the field of the parts, and which of the commands that were sent of it. */
  inside?: { field: string; at: number }
}

interface More {
  retryAt?: Date | undefined
  context?: Readonly<Record<string, unknown>>
  requestId?: string | undefined
}

/** A request that the service refused, or that did not reach it; `message` is the service's own sentence. */
export class ApiError extends Error {
  readonly kind: ErrorKind
  readonly status: number
  readonly problems: readonly FieldProblem[]
  /** When the same may work again. */
  readonly retryAt: Date | undefined
  /** Names the refusal, whatever its sentence is. */
  readonly code: string
  /** Names the line of the service's log. */
  readonly requestId: string | undefined
  /** Everything that the service says beside its sentence. */
  readonly context: Readonly<Record<string, unknown>>

  constructor(
    status: number,
    message: string,
    problems: readonly FieldProblem[] = [],
    { retryAt, context = {}, requestId }: More = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.kind = kindOf(status)
    this.problems = problems
    this.retryAt = retryAt
    this.requestId = requestId
    this.code = typeof context.code === 'string' ? context.code : ''
    this.context = context
  }
}

/** The record of a page is gone, or not the reader's: `message` says so of its kind, in the reader's language. */
export class GoneError extends ApiError {
  constructor(message: string) {
    super(404, message)
    this.name = 'GoneError'
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

type Params = Readonly<Record<string, string>>
/** `labels`: what people call the models and fields that the sentence names. */
type Wording = (message: string, code: string, said: { params: Params; labels: Params; model: string }) => string
let worded: Wording = (message) => message
let load = (): Promise<void> => Promise.resolve()

/** From here on refusals are said in the reader's language, as far as there are words for them; those are loaded with the first one. */
export function wordRefusals(wording: Wording, loadWords = load): void {
  worded = wording
  load = loadWords
}

const UNREACHABLE = 'The service cannot be reached at the moment.'
let unreachable = UNREACHABLE

/** From here on it is said in the reader's language that the service cannot be reached: those words are there before it is away. */
export function wordUnreachable(sentence: string): void {
  unreachable = sentence
}

/** The error of a request that did not reach the service, nor did any answer of it come back. */
export function notReached(cause?: unknown): ApiError {
  return Object.assign(new ApiError(0, unreachable), { cause })
}

/** Whether what is shown says that the service cannot be reached. */
export function saysUnreachable(shown: unknown): boolean {
  return shown !== undefined && JSON.stringify(shown)?.includes(JSON.stringify(unreachable)) === true
}

/** Waits for the words of refusals before one is read; where they do not come, the service's own stand. */
export function refusalWords(): Promise<void> {
  return load().catch(() => undefined)
}

/** The error in an answer's body: in the words of the reader's language, else as the service words it. */
export function readError(status: number, body: unknown, headers = new Headers()): ApiError {
  const seconds = Number(headers.get('retry-after') ?? '')
  const retryAt = seconds > 0 ? new Date(Date.now() + seconds * 1_000) : undefined
  const { message, context: given } = isObject(body) ? body : {}
  const context = isObject(given) ? given : {}
  const problems = Array.isArray(context.problems) ? context.problems.filter(isProblem) : []
  const labels = isObject(context.labels) ? context.labels : {}
  const { model } = context
  // What stands before the service answers for it while it is away.
  const unsaid = kindOf(status) === 'unavailable' ? unreachable : `The service answered ${status}.`
  const said = typeof message === 'string' ? wordsOf(message, context) : unsaid
  return new ApiError(
    status,
    said,
    problems.map((problem) => ({
      ...problem,
      message: wordsOf(problem.message, { ...problem, labels, model }),
    })),
    { retryAt, context, requestId: headers.get('x-request-id') ?? undefined },
  )
}

function wordsOf(message: string, { code, params, labels, model }: Record<string, unknown>): string {
  return worded(message, typeof code === 'string' ? code : '', {
    params: isObject(params) ? (params as Params) : {},
    labels: isObject(labels) ? (labels as Params) : {},
    model: typeof model === 'string' ? model : '',
  })
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
