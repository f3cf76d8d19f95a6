import { Refusal, type RefusalKind } from '../errors.ts'
import type { After, RefusalCode } from '../refusals.ts'

/**
 * The phone provider's REST API, as far as the service acts through it. Every request has a time limit. Throws
 * ProviderRefused when the provider understood and said no, ProviderUnavailable when it could not be asked.
 */
export interface TelcoClient {
  /** Gives the live leg new markup; whatever it was doing ends. */
  redirectCall(callSid: string, markup: string): Promise<void>
  /** Ends the leg, whether or not somebody has answered; refused as a conflict when it is over. */
  endCall(callSid: string): Promise<void>
  /** Rings somebody and carries out the markup once they answer. Never repeated when it may have happened. */
  createCall(call: NewCall): Promise<CreatedCall>
  /** Hands a text over for delivery. Never repeated when it may have happened. */
  sendMessage(
    message: NewMessage,
  ): Promise<{ sid: string; status: string; errorCode: string | undefined; errorMessage: string | undefined }>
  fetchCall(callSid: string): Promise<FetchedCall>
  fetchRecording(recordingSid: string): Promise<FetchedRecording>
  listCallRecordings(callSid: string): Promise<FetchedRecording[]>
  startRecording(callSid: string, options: { statusCallback: string | undefined }): Promise<FetchedRecording>
  stopRecording(callSid: string, recordingSid: string): Promise<void>
  /** Opens audio that is stored at the provider. Throws ProviderRefused for an address that is not the provider's. */
  openMedia(url: string, options?: MediaOptions): Promise<MediaAnswer>
  /** The same for what somebody sent with a message, of whatever type. */
  openMessageMedia(url: string, options?: MediaOptions): Promise<MediaAnswer>
  /** Opens what a message template shows, where its author has put it for everybody; without our credentials. */
  openTemplateMedia(url: string, options?: MediaOptions): Promise<MediaAnswer>
}

export interface NewCall {
  to: string
  from: string
  markup: string
  statusCallback: string | undefined
  timeoutSeconds: number
}

export interface CreatedCall {
  sid: string
  status: string
}

export interface NewMessage {
  to: string
  from: string
  body?: string | undefined
  mediaUrls?: readonly string[] | undefined
  /** A template of the provider and the JSON object of its variables, in place of a body. */
  content?: { sid: string; variables: string | undefined } | undefined
  statusCallback: string | undefined
}

export interface FetchedCall {
  sid: string
  status: string
  /** Undefined until the provider has charged for it. */
  price: number | undefined
  priceUnit: string | undefined
}

export interface FetchedRecording {
  sid: string
  callSid: string
  status: string
  seconds: number | undefined
  source: string | undefined
  price: number | undefined
  priceUnit: string | undefined
  startTime: Date | undefined
  mediaUrl: string | undefined
}

export interface MediaOptions {
  method?: 'GET' | 'HEAD'
  /** The bytes that are wanted, as a Range header says it. */
  range?: string | undefined
  /** Ends the transfer. */
  signal?: AbortSignal | undefined
}

/** What the provider answered to a request for audio: 200, 206, 404 or 416. */
export interface MediaAnswer {
  status: number
  contentType: string | undefined
  contentLength: number | undefined
  contentRange: string | undefined
  body: ReadableStream<Uint8Array> | undefined
}

/** The provider cannot be asked now: no credentials, no connection, or an error of its own. The message is for the log. */
export class ProviderUnavailable extends Error {
  /** The request may have been carried out all the same, so the person who asked must not simply ask again. */
  readonly mayHaveHappened: boolean
  /** It cannot be reached, or is too busy: that says nothing of what it was asked. */
  readonly isAway: boolean

  constructor(message: string, options: ErrorOptions & { mayHaveHappened?: boolean; isAway?: boolean } = {}) {
    super(message, options)
    this.name = 'ProviderUnavailable'
    this.mayHaveHappened = options.mayHaveHappened ?? false
    this.isAway = options.isAway ?? false
  }
}

/** The provider understood and refused, for a reason that the person who asked can be shown. */
export class ProviderRefused<Code extends RefusalCode = RefusalCode> extends Refusal<Code> {
  /** The provider's own number of the error. */
  readonly providerCode: string | undefined

  constructor(kind: RefusalKind, code: Code, ...after: After<Code, { providerCode?: string | undefined }>) {
    super(kind, code, ...(after as After<Code>))
    this.name = 'ProviderRefused'
    this.providerCode = after[1]?.providerCode
  }
}
