import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { TSchema } from 'typebox'
import type { Env, GatheringEnv, OpenEnv, ReadEnv } from '../../platform/access/env.ts'
import type { DescribedBody } from '../../platform/api/api-operation.ts'
import type { VerificationSettings } from '../../platform/settings/settings.ts'
import type { Reservation } from './unverified-bytes.ts'

/** A delivery as it arrived, before anything is believed. */
export interface IncomingRequest {
  /** Path and raw query as they were sent. */
  target: string
  headers: IncomingHttpHeaders
  /** The bytes of the body; empty when a large one was spooled. */
  body: Buffer
  /** Whether the signature fits one of the secrets, where that was computed while the bytes went by. */
  isSigned?: boolean
  /** A body too large for memory. */
  spooled?: SpooledBody
  /** Values of `:name` parts of the path. */
  params: Record<string, string>
  /** Whether the request came over https, as far as a trusted proxy says. */
  isHttps: boolean
  host: string
  receivedAt: Date
  /** What the delivery turned out to be about; handlers that answer a bare reply fill it in for the log. */
  subject: Subject
}

/** What a delivery is about, for the log. */
export interface Subject {
  call?: number | undefined
  conversation?: string | undefined
  callSid?: string | undefined
  /** What the log says of a delivery that was handled, such as that a text was cut. */
  remark?: string | undefined
  /** The row of the inbox in which it is stored. */
  inbox?: number | undefined
}

/** What a handler made of a delivery. */
export interface Handled {
  reply: Reply
  subject: Subject
}

export interface SpooledBody {
  file: string
  bytes: number
}

export interface Reply {
  status: number
  contentType: string
  body: string
}

/**
 * Authentication passed, or failed for a reason that goes into the log and never into the answer. `isSigned` says that
 * something was sent which could have been right: a wrong signature or token, and not none.
 */
export type Authentication = { ok: true } | { ok: false; reason: string; isSigned: boolean }

/** What the headers alone tell of a sender; a signature over the body leaves it undecided. */
export type HeaderVerdict = Authentication | 'undecided'

/** How a row shows in the API document. */
export interface RowDescription {
  summary: string
  /** What the provider sends; lenient rows take less and more. */
  request: TSchema
  /** What is answered when all went well; several where it depends on what was asked which of them comes. */
  reply: DescribedBody | readonly DescribedBody[]
  /** Names in the query of its address that may be there, with what they are. */
  query?: Readonly<Record<string, string>>
  /** Refusals that not every row of the table has, by status. */
  refusals?: Readonly<Record<number, object>>
}

interface RowBase {
  path: string
  describes?: RowDescription
  /** The tool of a voice agent that is called here, and the milliseconds that the platform waits for it. */
  tool?: { name: string; writes?: string | undefined; budgetMs(): number }
  /** Works elevated: the contract says so for the helpdesk tools. */
  isElevated?: boolean
  /** Stored in the inbox before it is worked on: the answer says that, and nothing of what comes of it. */
  isStoredFirst?: boolean
  /** Milliseconds after which the fallback is answered, whatever the work still does; asked for each delivery. */
  deadlineMs: number | (() => number)
  /** Bytes a body may have; more is answered 413. */
  bodyBytesMax: number
}

export type WebhookRow =
  | (RowBase & { access: 'write'; run(env: Env, arrival: IncomingRequest): Promise<Reply | Handled> })
  | (RowBase & { access: 'read'; run(env: ReadEnv, arrival: IncomingRequest): Promise<Reply | Handled> })
  | (RowBase & { access: 'gathered'; run(env: GatheringEnv, arrival: IncomingRequest): Promise<Reply | Handled> })
  | (RowBase & { access: 'own'; run(open: OpenEnv, arrival: IncomingRequest): Promise<Reply | Handled> })

/** Webhooks that are authenticated, refused and logged the same way. */
export interface WebhookTable {
  area: string
  prefix: string
  rows: readonly WebhookRow[]
  /** The header that proves the sender, the kind of body, and what a refusal of the table looks like, by status. */
  proof?: {
    header: string
    says?: string
    contentType: string
    refusals?: Readonly<Record<number, object>>
    headers?: Readonly<Record<string, string>>
  }
  /** Logs the beginning of a rejected body, so that a wrong setting can be explained from it. */
  keepsRejectedBody?: boolean
  /** Asked before a byte of the body is read. The settings are the only thing read before this; it writes nothing. */
  authenticateHeaders(arrival: IncomingRequest, settings: VerificationSettings | undefined): HeaderVerdict
  /** Takes the body of a row in its own way, where it may be too large for memory. */
  receive?(request: IncomingMessage, arrival: IncomingRequest, receiving: ReceivingParts): Promise<Received>
  /** Asked with the body, before anything is made of it, where the headers left it undecided; it writes nothing. */
  authenticateBody?(
    arrival: IncomingRequest,
    settings: VerificationSettings | undefined,
  ): Authentication | Promise<Authentication>
  /**
   * What an administrator reads of a rejected delivery in place of the bare reason, such as which setting is wrong. It takes
   * time: asked after the answer, for a few deliveries a minute.
   */
  explain?(arrival: IncomingRequest, settings: VerificationSettings | undefined): Promise<string | undefined>
  /** The answer to somebody who is not the provider; the reason is for the log, and only the contract's texts leave. */
  reject(row: WebhookRow, reason: string): Reply
  /** The answer when the work threw or took too long; `status` in it decides the verdict. */
  fallback(row: WebhookRow, error: Error, arrival: IncomingRequest): Reply
  /** The answer to a verified sender after any failure of ours, where there is a better one than the fallback. */
  answerAfterFailure?(row: WebhookRow, arrival: IncomingRequest): Reply | undefined
  /**
   * Keeps a delivery whose work failed inside, so that it can be worked on again; called before the fallback is sent.
   * Gives its row in the inbox where that is known by then. Throws when nothing could keep it.
   */
  saveFailed?(row: WebhookRow, arrival: IncomingRequest): Promise<number | undefined>
  /** Works on a delivery of this row once more, after its sender has gone; without it nobody needs that. */
  replay?(row: WebhookRow, arrival: IncomingRequest): Promise<Replayed>
  /** Whether deliveries of this row are worked on once more; nobody needs that of one whose answer was all. */
  isReplayed?(row: WebhookRow): boolean
  /** Whether a delivery that was rejected comes from the provider all the same, such as one for another address of ours. */
  isGenuine?(arrival: IncomingRequest, settings: VerificationSettings | undefined): Promise<boolean>
  /** The answer in place of the fallback when nothing could keep the delivery; without it the fallback stays. */
  notSaved?(row: WebhookRow): Reply | undefined
  /** What a verified delivery itself says that it is about; asked where the work ended without saying so. */
  subject?(arrival: IncomingRequest): Subject
  /** The answer in place of 413 and the like, where the headers tell the sender and the body could not be taken. */
  withoutBody?(row: WebhookRow, arrival: IncomingRequest): Reply
}

/** Where a delivery that is worked on once more is stored, and its call once that is known. */
export interface Replayed {
  inbox: number | undefined
  call: number | undefined
}

/** A row with the table it is in. */
export interface TableRow {
  table: WebhookTable
  row: WebhookRow
}

/** What a table that takes bodies in its own way is given for it. */
interface ReceivingParts {
  settings: VerificationSettings | undefined
  /** The room in memory that this request may take. */
  memory: Reservation
}

/** What receiving a body gave: its bytes, a spooled file, that it was too large, or that strangers hold all the room. */
export type Received =
  | { body: Buffer; isSigned?: boolean }
  | { spooled: SpooledBody; isSigned: boolean }
  | 'too-large'
  | 'no-room'
