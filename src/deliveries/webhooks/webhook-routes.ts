import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { noteVerified } from '../../verified-sockets.ts'
import { askForBody, declaredBytes, discardBody, readBody } from './read-body.ts'
import { FREE_BYTES, type Room } from './unverified-bytes.ts'
import type { WebhookRunner } from './webhook-runner.ts'
import type { IncomingRequest, Reply, TableRow, WebhookRow, WebhookTable } from './webhook-table.ts'

/** Serves every row of the tables: POST to the row, 405 for other methods, 404 for the rest of the prefix. */
export function webhookRoutes(
  app: FastifyInstance,
  { runner, memory }: { runner: WebhookRunner; memory: Room },
  tables: readonly WebhookTable[],
): void {
  app.register((scope, _options, done) => {
    const otherMethods = scope.supportedMethods.filter((method) => method !== 'POST')
    for (const table of tables) {
      for (const row of table.rows) {
        const url = table.prefix + row.path
        // The framework's parsing would come next, but a signature covers bytes, not what a parser made of them, and
        // a stranger is to be told that before anything of a content type.
        const onRequest = (request: FastifyRequest, reply: FastifyReply) =>
          receive({ runner, memory, table, row }, request, reply)
        scope.post(url, { onRequest }, refuseMethod)
        scope.route({ method: otherMethods, url, onRequest: refuseMethod, handler: refuseMethod })
      }
    }
    for (const prefix of new Set(tables.map((table) => table.prefix))) {
      const ofPrefix = tables.filter((table) => table.prefix === prefix)
      const onRequest = (request: FastifyRequest, reply: FastifyReply) => refusePath(runner, ofPrefix, request, reply)
      scope.all(`${prefix}/*`, { onRequest }, onRequest)
    }
    done()
  })
}

async function receive(
  { runner, memory, table, row }: { runner: WebhookRunner; memory: Room; table: WebhookTable; row: WebhookRow },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const settings = await runner.settings()
  const arrival = arrivalOf(request, runner.now())
  const share = memory.share(FREE_BYTES)
  const answer = await runner.answer({ table, row }, arrival, {
    settings,
    receive: async () => {
      if (declaredBytes(request.raw) > row.bodyBytesMax) return 'too-large'
      askForBody(request.raw, reply.raw)
      return (
        table.receive?.(request.raw, arrival, { settings, memory: share }) ??
        readBody(request.raw, row.bodyBytesMax, share)
      )
    },
    discard: (headBytesMax) => discardBody(request.raw, headBytesMax),
    verified: () => noteVerified(request.raw.socket),
    release: () => share.release(),
  })
  return send(reply, answer)
}

function arrivalOf(request: FastifyRequest, receivedAt: Date): IncomingRequest {
  return {
    target: request.raw.url ?? '',
    headers: request.headers,
    body: Buffer.alloc(0),
    params: request.params as Record<string, string>,
    isHttps: request.protocol === 'https',
    host: request.host,
    receivedAt,
    subject: {},
  }
}

function send(reply: FastifyReply, { status, contentType, body }: Reply): FastifyReply {
  return reply.code(status).header('content-type', contentType).send(body)
}

async function refuseMethod(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return reply.code(405).header('allow', 'POST').send({ error: 'Webhooks are called with POST.' })
}

const NO_WEBHOOK = { error: 'There is no such webhook.' }

/** Nobody is at that address; one that is nearly right is logged, with what is wrong with it. */
async function refusePath(
  runner: WebhookRunner,
  tables: readonly WebhookTable[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const target = request.raw.url ?? ''
  const nearly = request.method === 'POST' ? nearlyRight(tables, target.split(/[?#]/, 1)[0] ?? '') : undefined
  if (nearly !== undefined) {
    const answer = { status: 404, contentType: 'application/json', body: JSON.stringify(NO_WEBHOOK) }
    await runner.logMisaddressed(nearly.tableRow, arrivalOf(request, runner.now()), answer, nearly.reason)
  }
  return reply.code(404).send(NO_WEBHOOK)
}

/** The webhook that an address nearly names, and what is wrong with the address. */
function nearlyRight(
  tables: readonly WebhookTable[],
  path: string,
): { tableRow: TableRow; reason: string } | undefined {
  const single = path.replaceAll(/\/{2,}/g, '/')
  const right = single.replace(/\/$/, '')
  const found = findRow(tables, right) ?? findRow(tables, right.toLowerCase())
  if (found === undefined) return undefined
  const address = findRow(tables, right) === undefined ? right.toLowerCase() : right
  const faults = [
    single.endsWith('/') ? 'The address has a trailing slash.' : '',
    single === path ? '' : 'The address has a double slash.',
    address === right ? '' : 'The address has capital letters.',
    `Change it to ${address} at the provider.`,
  ]
  return { tableRow: found, reason: faults.filter((fault) => fault !== '').join(' ') }
}

function findRow(tables: readonly WebhookTable[], path: string): TableRow | undefined {
  for (const table of tables) {
    for (const row of table.rows) if (isAt(table.prefix + row.path, path)) return { table, row }
  }
  return undefined
}

function isAt(pattern: string, path: string): boolean {
  const [parts, given] = [pattern.split('/'), path.split('/')]
  return (
    parts.length === given.length &&
    parts.every((part, at) => (part.startsWith(':') ? given[at] !== '' : part === given[at]))
  )
}
