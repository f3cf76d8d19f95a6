import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebhookRunner } from './webhook-runner.ts'
import type { Arrival, Received, Reply, WebhookRow, WebhookTable } from './webhook-table.ts'

const OTHER_METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Serves every row of the tables: POST to the row, 405 for other methods, 404 for the rest of the prefix. */
export function webhookRoutes(app: FastifyInstance, runner: WebhookRunner, tables: readonly WebhookTable[]): void {
  app.register((scope, _options, done) => {
    // Bodies are read from the wire by the rows themselves: a signature covers bytes, not what a parser made of them.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    for (const table of tables) {
      for (const row of table.rows) {
        const url = table.prefix + row.path
        scope.post(url, (request, reply) => receive({ runner, table, row }, request, reply))
        scope.route({ method: OTHER_METHODS, url, handler: refuseMethod })
      }
    }
    for (const prefix of new Set(tables.map((table) => table.prefix))) {
      scope.all(`${prefix}/*`, (_request, reply) => reply.code(404).send({ error: 'There is no such webhook.' }))
    }
    done()
  })
}

async function receive(
  { runner, table, row }: { runner: WebhookRunner; table: WebhookTable; row: WebhookRow },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const settings = await runner.settings()
  const bare = arrivalOf(request)
  const stream = request.raw as Readable
  const received = await (table.receive?.(stream, bare, settings) ?? readBody(stream, row.bodyBytesMax))
  if (received === 'too-large') return send(reply.header('connection', 'close'), TOO_LARGE)
  return send(reply, await runner.answer({ table, row }, { ...bare, ...received }, settings))
}

const TOO_LARGE: Reply = { status: 413, contentType: 'application/json', body: '{"error":"The body is too large."}' }

/** The whole body, or that it is larger than allowed; the rest of a too large one is not read. */
export async function readBody(stream: Readable, bytesMax: number): Promise<Received> {
  const chunks: Buffer[] = []
  let bytes = 0
  // The stream must outlive a break: destroying it would close the connection before it was told why.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) return 'too-large'
    chunks.push(chunk)
  }
  return { body: Buffer.concat(chunks, bytes) }
}

function arrivalOf(request: FastifyRequest): Arrival {
  return {
    target: request.raw.url ?? '',
    headers: request.headers,
    body: Buffer.alloc(0),
    params: request.params as Record<string, string>,
    isHttps: request.protocol === 'https',
    host: request.host,
    receivedAt: new Date(),
    about: {},
  }
}

function send(reply: FastifyReply, { status, contentType, body }: Reply): FastifyReply {
  return reply.code(status).header('content-type', contentType).send(body)
}

function refuseMethod(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.code(405).header('allow', 'POST').send({ error: 'Webhooks are called with POST.' })
}
