import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import { InnerAddress, outsideLookup } from './outside-lookup.ts'
import { isOwnNetwork } from './public-address.ts'

/** Answers that have no body (RFC 9110, 15.3.5, 15.3.6 and 15.4.5): a `Response` takes none with them. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])
const LAST_STATUS = 599

/**
 * Asks an address that somebody wrote, and follows it nowhere. It throws where that is this machine or its network: the connection
 * goes to the very address that was checked, so that a name cannot lead elsewhere in between.
 */
export async function fetchOutside(url: URL, init: RequestInit, find = outsideLookup()): Promise<Response> {
  if (isOwnNetwork(url.hostname)) throw new InnerAddress(url.hostname)
  const { method, headers, signal, body: sent } = new Request(url, init)
  const body = sent === null ? undefined : Buffer.from(await new Response(sent).arrayBuffer())
  const { request } = url.protocol === 'https:' ? https : http
  const options: https.RequestOptions = {
    method,
    // What is passed on is what was sent: nothing is unpacked here.
    headers: { ...Object.fromEntries(headers), 'accept-encoding': 'identity' },
    signal,
    // A connection of its own: one that is kept could have been made for something else.
    agent: false,
    lookup: find,
  }
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  request(url, options, (answer) => {
    try {
      resolve(toResponse(answer, method))
    } catch (error) {
      answer.destroy()
      reject(error)
    }
  })
    .on('error', reject)
    .end(body)
  return promise
}

function toResponse(answer: http.IncomingMessage, method: string): Response {
  const { statusCode: status = 0, headersDistinct } = answer
  if (status > LAST_STATUS) throw new Error(`the answer has the status ${status}`)
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  const isEmpty = method === 'HEAD' || WITHOUT_BODY.has(status)
  if (isEmpty) answer.resume()
  return new Response(isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>), { status, headers })
}
