import { PassThrough, type Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { askForBody, declaredBytes, discardBody, isUnread } from '../deliveries/webhooks/read-body.ts'

/**
 * Anyone who can be answered by the headers is answered before the body. "Expect: 100-continue" is not promised anything
 * until somebody wants the body, and the connection of an early answer stays open for a while and is read past: a sender
 * whose connection is reset while it still writes never sees what it was told.
 */
export function answerBeforeBody(http: FastifyInstance): void {
  http.server.on('checkContinue', (request, response) => http.server.emit('request', request, response))
  // Runs after everything that looks at headers only, and before the framework reads the body.
  http.addHook('preParsing', (request, reply, payload, done) => {
    if (declaredBytes(request.raw) <= request.routeOptions.bodyLimit) askForBody(request.raw, reply.raw)
    done(null, payload)
  })
  http.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request
    if (!isUnread(raw) || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) return done(null, payload)
    // A small body comes with its headers, and is all here one turn later.
    setImmediate(() => {
      if (!isUnread(raw)) return done(null, payload)
      // What is still to come of the body must not be taken for the next request.
      reply.headers({ connection: 'close', 'content-length': Buffer.byteLength(payload) })
      done(null, heldOpen(payload, discardBody(raw)))
    })
  })
}

/** The whole answer at once, and its end later. */
function heldOpen(answer: string | Buffer, until: Promise<unknown>): Readable {
  const stream = new PassThrough()
  stream.write(answer)
  void until.then(() => stream.end())
  return stream
}
