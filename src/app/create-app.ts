import type { FastifyInstance } from 'fastify'
import { renumberAfterUpgrade } from '../contacts/renumbering.ts'
import type { Memory } from '../database/cached.ts'
import { MISSED } from '../database/listener.ts'
import { asError } from '../errors.ts'
import { AREAS } from './areas.ts'
import { type AppParts, type Built, build } from './build.ts'
import { createHttpServer } from './http-server.ts'
import { serve } from './routes.ts'

export interface App
  extends Pick<Built, 'platform' | 'identities' | 'jobs' | 'inbox' | 'deliveries' | 'agents' | 'media' | 'links'> {
  http: FastifyInstance
  /** Opens the queue, listens to the other processes, and works on what was left over. When it throws it may be called again. */
  start(): Promise<void>
  /** Finishes what is under way; the database stays open. */
  stop(): Promise<void>
}

/** Puts the areas together. The database may still be closed, behind a gate; `start` wants it open, migrated and seeded. */
export function createApp(parts: AppParts): App {
  const built = build(parts)
  const http = createHttpServer(built.config)
  built.checks.address = () => listensAt(http)
  serve(http, built)
  return { ...built, http, start: () => start(http, built), stop: () => stop(http, built) }
}

/** Undefined until it listens. */
function listensAt({ server }: FastifyInstance): string | undefined {
  const address = server.address()
  if (address === null || typeof address === 'string') return undefined
  const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[address.address]
  return `http://${host ?? (address.family === 'IPv6' ? `[${address.address}]` : address.address)}:${address.port}`
}

async function start(http: FastifyInstance, built: Built): Promise<void> {
  const { config, db, inbox, jobs } = built
  built.backups.start()
  const memories = memoriesOf(built)
  for (const memory of memories) {
    for (const channel of memory.channels) await db.listen(channel, (payload) => void memory.changed(payload))
  }
  await db.listen('connect_inbox', () => inbox.wake())
  // What was read before may have changed before anybody would have heard of it.
  await Promise.all(memories.map((memory) => memory.changed(MISSED)))
  await built.live.start()
  await jobs.start({ works: config.worker })
  inbox.start({ works: config.worker })
  if (config.worker) await startWork(built)
  await http.ready()
  built.page?.start()
}

function memoriesOf(built: Built): Memory[] {
  return AREAS.flatMap(({ memory }) => memory?.(built) ?? [])
}

async function startWork(built: Built): Promise<void> {
  built.deadRuns.start()
  await renumberAfterUpgrade(built, built.numbered).catch((error: unknown) =>
    built.log.error({ err: asError(error) }, 'stored numbers were not read anew: the next start tries again'),
  )
}

async function stop(http: FastifyInstance, built: Built): Promise<void> {
  const { inbox, jobs, deliveries, deadRuns, backups, checks, page } = built
  page?.stop()
  // Requests under way may be waiting for the database that a backup holds.
  await Promise.all([backups.stop(), http.close()])
  await checks.stop()
  await Promise.all(memoriesOf(built).map((memory) => memory.saved?.()))
  await inbox.stop()
  await deadRuns.stop()
  await jobs.stop()
  await deliveries.drained()
}
