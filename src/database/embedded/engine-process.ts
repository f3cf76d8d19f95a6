// The process that the embedded engine runs in, started by engine.ts. It opens the folder, serves one connection on a socket, and
// ends when it is told to, or with the service.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { lockEngine } from './engine-lock.ts'
import { serveEngine } from './engine-server.ts'

/** What the engine's process tells the service. */
export type EngineNews = { isReady: true } | { failure: { name: string; message: string; code: string | undefined } }

/**
 * How the engine differs from its own defaults. With 128 MB of buffers it needs 60 MB more of memory from the first moment
 * and reads no faster here. At the default cost of a page that is not the next one, a plan that was made while a table was
 * small reads through all of it, and is kept when it has grown. A sample of 3,000 rows instead of 30,000 tells as much of
 * tables that are looked up by number and time, and nobody is answered while it is taken (decision 0010). A file of the log
 * that is used again would keep the bytes of somebody who was erased since.
 */
const ENGINE_SETTINGS = [
  'shared_buffers=64MB',
  'random_page_cost=1.1',
  'default_statistics_target=10',
  'wal_recycle=off',
]
const WATCH_MEGABYTES = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 }
const ONLY_THE_OWNER = 0o077

const [, , folder = '', socket = ''] = process.argv

process.umask(ONLY_THE_OWNER)
// A signal to the whole group ends the service, which then ends this process in its order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
new Worker(new URL('./parent-watch.mjs', import.meta.url), {
  resourceLimits: WATCH_MEGABYTES,
  execArgv: [],
  env: {},
}).unref()

try {
  await serve()
} catch (error) {
  // No error of the service is loaded here: that would double the time of a start.
  const { name = '', message = String(error), code } = error as { name?: string; message?: string; code?: string }
  tell({ failure: { name, message, code } }, () => process.exit(1))
}

async function serve(): Promise<void> {
  await lockEngine(path.dirname(folder))
  const startParams = [...PGlite.defaultStartParams, ...ENGINE_SETTINGS.flatMap((setting) => ['-c', setting])]
  const engine = await PGlite.create({ dataDir: folder, startParams })
  // Left by a process that was killed.
  rmSync(socket, { force: true })
  await serveEngine(engine, socket)
  process.once('message', () => void stop(engine))
  tell({ isReady: true })
}

async function stop(engine: PGlite): Promise<void> {
  await engine.close()
  process.exit(0)
}

function tell(news: EngineNews, told: () => void = () => undefined): void {
  process.send?.(news, told)
}
