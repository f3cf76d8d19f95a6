// Requests to a service under test. Node's own client takes a fifth of the processor time that `fetch` does.
import { Agent, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

export interface Sending {
  method?: string
  headers?: Readonly<Record<string, string>>
  /** A stream is sent in chunks, without saying how long it is. */
  body?: string | Uint8Array | Readable
}

export interface Received {
  status: number
  headers: Headers
  text: string
}

const agent = new Agent({ keepAlive: true })

/** Sends one request and gives its whole answer; a redirect is an answer like any other. Rejects when there is none. */
export async function sendRequest(
  url: string,
  { method = 'GET', headers = {}, body }: Sending = {},
): Promise<Received> {
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, resolve)
    sent.on('error', reject)
    if (body instanceof Readable) return void body.on('error', (error) => sent.destroy(error)).pipe(sent)
    // For methods that usually have no body Node would not say where it ends.
    if (body !== undefined) sent.setHeader('content-length', Buffer.byteLength(body))
    sent.end(body)
  })
  const text = new TextDecoder().decode(await buffer(message))
  return { status: message.statusCode ?? 0, headers: headersOf(message), text }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return headers
}
