import { randomUUID } from 'node:crypto'
import { METHODS } from 'node:http'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import type { Config } from '../config.ts'
import { Connections } from './connections.ts'
import { answerBeforeBody } from './early-answers.ts'
import { answerUnreadable, refuseExpectations } from './unreadable-requests.ts'

/** How long a request may take to arrive, with its body: a provider is faster. */
const REQUEST_TIMEOUT_MS = 30_000
/** How long the head of a request may take to arrive, from the opening of the connection on. */
const HEAD_TIMEOUT_MS = 5_000
/**
 * Bytes of a body where a route does not say otherwise: sign-in, set-up, invitations, passwords and codes, whose senders nobody
 * knows yet. Calls of the API, files and webhooks name their own.
 */
const BODY_BYTES_MAX = 16 * 1024
/** How often connections are looked through for those that are late. */
const LATE_EVERY_MS = 1_000
const NOT_KEPT = 'no-store'
const FIRST_REFUSAL_STATUS = 400

/** The server without its routes. Nobody holds a connection, or a body, for longer than a provider would need. */
export function createHttpServer(config: Config): FastifyInstance {
  const http = Fastify({
    trustProxy: trusted(config.trustProxy),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: REQUEST_TIMEOUT_MS,
    http: { connectionsCheckingInterval: LATE_EVERY_MS, headersTimeout: HEAD_TIMEOUT_MS },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 500 },
    forceCloseConnections: 'idle',
    clientErrorHandler: answerUnreadable,
    genReqId: () => randomUUID(),
    // An address that cannot be read is answered before any hook.
    frameworkErrors: (error, _request, reply: FastifyReply) => {
      void reply
        .code(error.statusCode ?? FIRST_REFUSAL_STATUS)
        .headers({ 'cache-control': NOT_KEPT, 'x-content-type-options': 'nosniff' })
        .send(error)
    },
    ajv: { customOptions: { coerceTypes: false } },
  })
  knowEveryMethod(http)
  http.register(cookie)
  new Connections(config.trustProxy).watch(http)
  refuseExpectations(http)
  closeAfterAnswers(http)
  keepNothing(http)
  pageHeaders(http)
  answerBeforeBody(http)
  return http
}

/** A method that a route does not take is answered so, also where the framework has not heard of it. */
function knowEveryMethod(http: FastifyInstance): void {
  const known = http.supportedMethods
  for (const method of METHODS) if (!known.includes(method)) http.addHttpMethod(method)
}

/** The framework itself believes nobody when it is given a number of proxies: the hops are counted here. */
function trusted(proxies: Config['trustProxy']): false | string[] | ((address: string, hop: number) => boolean) {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies
}

/** Anyone who is answered while the service stops must not hold it up with a connection that they keep for later. */
function closeAfterAnswers(http: FastifyInstance): void {
  let isClosing = false
  http.addHook('preClose', async () => {
    isClosing = true
  })
  http.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close')
    done(null, payload)
  })
}

/**
 * Nobody on the way, nor the browser, keeps an answer that does not say for how long, and never one that refuses: it was for one
 * person at one moment.
 */
function keepNothing(http: FastifyInstance): void {
  http.addHook('onSend', (_request, reply, payload, done) => {
    const own = reply.getHeader('cache-control')
    const isRefused = reply.statusCode >= FIRST_REFUSAL_STATUS && !String(own).includes(NOT_KEPT)
    if (own === undefined || isRefused) reply.header('cache-control', NOT_KEPT)
    done(null, payload)
  })
}

/** What a browser is told of our pages: nobody frames them, and their addresses are told to nobody. */
const OF_PAGES = {
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

/** Adds to every answer that it is what its content type says, and to pages how browsers are to treat them. */
function pageHeaders(http: FastifyInstance): void {
  http.addHook('onSend', (_request, reply, payload, done) => {
    reply.header('x-content-type-options', 'nosniff')
    const type = reply.getHeader('content-type')
    if (typeof type === 'string' && type.startsWith('text/html')) {
      // The page and that of the API have policies of their own, which let their files in.
      const own = reply.getHeader('content-security-policy')
      reply.headers(own === undefined ? OF_PAGES : { ...OF_PAGES, 'content-security-policy': own })
    }
    done(null, payload)
  })
}
