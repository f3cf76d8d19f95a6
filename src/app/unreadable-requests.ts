import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** What is wrong with a request that no route sees, by the code of the error; everything else is no HTTP. */
const WRONG: Readonly<Record<string, [status: string, sentence: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The address and headers of the request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'The request is too large.'],
}
const OTHERWISE = ['400 Bad Request', 'The request is malformed.'] as const
/** As every refusal has them (./http-server.ts). */
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', connection: 'close' }

/** Answers a connection on which no request could be read, and closes it. */
export function answerUnreadable({ code }: { code?: unknown }, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return
  const [status, sentence] = WRONG[String(code)] ?? OTHERWISE
  const body = JSON.stringify({ error: sentence })
  const headers = { ...HEADERS, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  if (socket.writable) socket.write([`HTTP/1.1 ${status}`, ...lines, '', body].join('\r\n'))
  socket.destroy()
}

/** Answers what the server itself refuses, with the headers of every refusal: an expectation that is none of HTTP's. */
export function refuseExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (_request: unknown, response: ServerResponse) => {
    response.writeHead(417, HEADERS).end()
  })
}
