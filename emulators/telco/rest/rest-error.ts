import { type HttpReply, jsonReply } from '../../http-server.ts'

/** A refusal as the API words it; the SDK throws it as a `RestException`. */
export class RestError extends Error {
  override readonly name = 'RestError'
  readonly status: number
  readonly code: number
  readonly detail: string | undefined

  constructor(status: number, code: number, message: string, detail?: string) {
    super(message)
    this.status = status
    this.code = code
    this.detail = detail
  }

  toReply(): HttpReply {
    return jsonReply(this.status, {
      code: this.code,
      ...(this.detail === undefined ? {} : { detail: this.detail }),
      message: this.message,
      more_info: `https://www.twilio.com/docs/errors/${this.code}`,
      status: this.status,
    })
  }
}

export function notFound(path: string): RestError {
  return new RestError(404, 20404, `The requested resource ${path} was not found`)
}

export function badRequest(code: number, message: string): RestError {
  return new RestError(400, code, message)
}

export function unauthorized(): RestError {
  return new RestError(401, 20003, 'Authenticate', 'Your AccountSid or AuthToken was incorrect.')
}
