import { existsSync } from 'node:fs'
import path from 'node:path'
import { createApp } from '../../app/create-app.ts'
import { ServiceRefusal } from '../../app/own-api/connection.ts'
import type { Config } from '../../config.ts'
import { type Copied, copyDatabase, emptyAgain, findContents, type TableCopied } from '../../database/copy-database.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { putMovedAside } from '../../database/embedded/engine-folder.ts'
import { lockFolder } from '../../database/embedded/folder-lock.ts'
import { openServer } from '../../database/server/server.ts'
import { createLog } from '../../log.ts'
import type { Cipher } from '../../platform/secrets/secrets.ts'
import { type Installation, openInstallation } from '../service/installation.ts'
import { requireOwnFolder } from '../service/own-folder.ts'

const TARGET_POOL = 4

/** Why nothing is moved while a service runs on the folder. */
const STOP_FIRST =
  'Its database is moved while nobody serves from it: stop the service and move again. Nothing was changed.'

/** Hears how far a move is. */
interface Progress {
  /** Nothing speaks against the move any more, and copying begins. */
  onBegin: () => void
  onTable: (table: TableCopied) => void
}

/** What was moved, and where the old database is now. */
export interface Moved extends Copied {
  to: string
  /** Audio that records name and that MEDIA_DIR does not hold; it was missing before. */
  missingAudio: number
  aside: string
}

/**
 * Moves an installation nobody serves from its embedded database to an empty PostgreSQL database. Keys, audio and waiting
 * deliveries stay in their folders; the old database is put aside once the new one has been compared with it and opened.
 * Whatever fails before leaves the old one as it was, and the new one empty.
 */
export async function moveDatabase(config: Config, url: string, progress: Progress): Promise<Moved> {
  if (config.databaseUrl !== undefined) {
    throw new ServiceRefusal(
      409,
      'DATABASE_URL is set: this installation is on a server already. Unset it to move the embedded database.',
    )
  }
  requireOwnFolder(config.dataDir)
  const folder = path.join(config.dataDir, 'database')
  if (!existsSync(folder)) throw new ServiceRefusal(404, `${config.dataDir} holds no embedded database to move.`)
  lockFolder(config.dataDir, STOP_FIRST).release()
  const target = await openServer(url, TARGET_POOL)
  try {
    const contents = await findContents(target)
    if (contents.length > 0) {
      throw new ServiceRefusal(
        409,
        `${target.place} is not empty: it holds ${contents.join(', ')}. Give a database that was just created.`,
      )
    }
    const moved = await moveInto(config, { target, url }, progress)
    const aside = putMovedAside(config.dataDir)
    return { ...moved, to: target.place, aside }
  } finally {
    await target.close()
  }
}

async function moveInto(
  config: Config,
  { target, url }: { target: Database; url: string },
  { onBegin, onTable }: Progress,
): Promise<Copied & { missingAudio: number }> {
  const source = await openInstallation(config, createLog('error'))
  try {
    onBegin()
    await openQueue(source)
    await target.migrate()
    const serverConfig = { ...config, databaseUrl: url }
    await openQueue({
      app: createApp({ config: serverConfig, db: target, cipher: source.cipher, log: createLog('error') }),
    })
    const copied = await copyDatabase(source.db, target, onTable)
    await requireReadable(serverConfig, target, source.cipher)
    return { ...copied, missingAudio: await countMissingAudio(source.db, config.mediaDir) }
  } catch (error) {
    await emptyAgain(target).catch(() => undefined)
    throw error
  } finally {
    await source.db.close()
  }
}

/** Brings the tables of the job queue up to date; nothing is worked on. */
async function openQueue({ app }: Pick<Installation, 'app'>): Promise<void> {
  await app.jobs.start({ works: false })
  await app.jobs.stop()
}

/** The secrets can be read there with the key that is here. */
async function requireReadable(config: Config, db: Database, cipher: Cipher): Promise<void> {
  await createApp({ config, db, cipher, log: createLog('error') }).platform.settings.get()
}

/** Audio stays where it is; what a record names and the folder does not hold is worth knowing. */
async function countMissingAudio(db: Database, mediaDir: string): Promise<number> {
  const named = await db.query<{ media_ref: string }>(
    sql`select media_ref from connect_recording where media_ref is not null
        union select media_ref from connect_voicemail where media_ref is not null
        union select media_ref from connect_attachment`,
  )
  return named.filter(({ media_ref: reference }) => !existsSync(path.join(mediaDir, reference))).length
}
