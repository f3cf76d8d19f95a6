import { type After, type RefusalCode, type Said, sayRefusal } from './refusals.ts'

/** Kinds of refusal, with the status each has on the wire and the name JSON-2 clients know it by. */
const KINDS = {
  malformed: { status: 400, name: 'werkzeug.exceptions.BadRequest' },
  unauthorized: { status: 401, name: 'werkzeug.exceptions.Unauthorized' },
  forbidden: { status: 403, name: 'odoo.exceptions.AccessError' },
  'not-found': { status: 404, name: 'odoo.exceptions.MissingError' },
  conflict: { status: 409, name: 'odoo.exceptions.UserError' },
  'too-large': { status: 413, name: 'werkzeug.exceptions.RequestEntityTooLarge' },
  'wrong-type': { status: 415, name: 'werkzeug.exceptions.UnsupportedMediaType' },
  refused: { status: 422, name: 'odoo.exceptions.ValidationError' },
  'too-many': { status: 429, name: 'werkzeug.exceptions.TooManyRequests' },
  unavailable: { status: 503, name: 'werkzeug.exceptions.ServiceUnavailable' },
} as const

export type RefusalKind = keyof typeof KINDS

/** One thing that is wrong with the values of a record. */
export interface Problem extends Said {
  /** The field by its name; null for what is about the record as a whole. */
  readonly field: string | null
  /** Where the record is, that is written with the one that was asked for. */
  inside?: Inside
  /** The records that it is about, while it is not known where they are. */
  records?: readonly number[]
}

/** A field of the record that was asked for, and which of its commands, counted from 0. */
export interface Inside {
  field: string
  at: number
}

interface RefusalOptions extends ErrorOptions {
  problems?: readonly Problem[]
  /** What else the answer says. */
  details?: Readonly<Record<string, unknown>>
  retryAfterSeconds?: number
}

/** A refusal whose sentence is written for the caller: it names what is wrong and never a secret. */
export class Refusal<Code extends RefusalCode = RefusalCode> extends Error implements Said {
  readonly kind: RefusalKind
  readonly code: RefusalCode
  readonly params: Readonly<Record<string, string>>
  /** What is wrong field by field, where values of a record were refused. */
  readonly problems: readonly Problem[]
  /** What else the answer says: the API in its `context`, a tool beside its sentence. */
  readonly details: Readonly<Record<string, unknown>>
  /** When the same may work again. */
  readonly retryAfterSeconds: number | undefined

  constructor(kind: RefusalKind, code: Code, ...[given, options]: After<Code, RefusalOptions>) {
    const { params, message } = sayRefusal(code, ...([given] as After<Code>))
    super(message, options)
    this.name = 'Refusal'
    this.kind = kind
    this.code = code
    this.params = params
    this.problems = options?.problems ?? []
    this.details = options?.details ?? {}
    this.retryAfterSeconds = options?.retryAfterSeconds
  }

  /** A refusal that says what was said elsewhere. */
  static saying(kind: RefusalKind, { code, params }: Said, options?: RefusalOptions): Refusal {
    return new Refusal(kind, code, ...([params, options] as After<RefusalCode, RefusalOptions>))
  }

  /** The same refusal, caused by this one, with something else beside its sentence. */
  with({ problems = this.problems, details = this.details }: Pick<RefusalOptions, 'problems' | 'details'>): Refusal {
    const { retryAfterSeconds } = this
    const more = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
    return Refusal.saying(this.kind, this, { cause: this, problems, details, ...more })
  }

  /** HTTP status of this refusal. */
  get status(): number {
    return KINDS[this.kind].status
  }

  /** Name of this refusal in the error body of the JSON-2 API. */
  get wireName(): string {
    return KINDS[this.kind].name
  }
}

/** What a refusal says, without the rest of it. */
export function saidBy({ code, params, message }: Said): Said {
  return { code, params, message }
}

/** What one field of some records says together with the others. */
export function refusedTogether(
  said: Said,
  { field, records }: { field: string; records: readonly number[] },
): Refusal {
  return Refusal.saying('refused', said, { problems: [{ ...said, field, records }] })
}

/** How many causes of an error are looked at. */
const CAUSES_MAX = 5

/** True when the error, or one of its causes, fits. */
export function isCausedBy(thrown: unknown, fits: (error: unknown) => boolean): boolean {
  let each = thrown
  for (let depth = 0; depth < CAUSES_MAX && each !== undefined && each !== null; depth += 1) {
    if (fits(each)) return true
    each = each instanceof Error ? each.cause : undefined
  }
  return false
}

/** True for what was thrown because a place, such as a provider, is away at the moment: it says nothing of what was asked. */
export function isAway(thrown: unknown): boolean {
  return thrown instanceof Error && 'isAway' in thrown && thrown.isAway === true
}

/** True for what failed because a key or token of a provider, as somebody has typed it, is not accepted: nothing here is broken. */
export function isOfCredentials(thrown: unknown): boolean {
  return isCausedBy(
    thrown,
    (error) => error instanceof Error && 'isOfCredentials' in error && error.isOfCredentials === true,
  )
}

/** Turns anything thrown into something that can be logged, without losing the cause. */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  // Some libraries report plain objects with the fields of an error.
  const hasMessage = typeof thrown === 'object' && thrown !== null && 'message' in thrown
  return new Error(hasMessage ? String(thrown.message) : String(thrown), { cause: thrown })
}
