import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmdirSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { DamagedFolderError } from './damage.ts'
import { WATERMARK_FILE } from './watermark.ts'

const FOLDER = 'database'
/** Every folder that the engine has made holds it. */
const VERSION_FILE = 'PG_VERSION'
/** What lies beside a database that has been used. */
const OF_AN_INSTALLATION = ['secret.key', 'local-admin.key', WATERMARK_FILE]
/** There while a backup is being restored. */
export const UNFINISHED_RESTORE = 'restore.unfinished'
const UNFINISHED = `${FOLDER}.unfinished-`
/** Before the time at which a database was moved to a server; what lies there is the database before. */
const MOVED = `${FOLDER}.moved-`
const MARK_SUFFIX = '.watermark'
const SCRIPT = fileURLToPath(new URL('./create-engine-folder.ts', import.meta.url))
/** Optimising the engine is not worth it for the second it runs. */
const FLAGS = ['--wasm-tiering-budget=1000000000']
const CREATE_TIMEOUT_MS = 120_000
const ERROR_CHARS_MAX = 2_000

/**
 * The folder in which the embedded engine keeps its files, made when it is not there. The caller holds the lock
 * of the data folder; the process that makes it takes no lock, and works on a name of its own that becomes the real one
 * when it is whole, so that a process killed half-way leaves nothing that looks like a database.
 */
export async function ensureEngineFolder(dataDir: string): Promise<string> {
  const folder = path.join(dataDir, FOLDER)
  if (existsSync(path.join(dataDir, UNFINISHED_RESTORE))) {
    throw new DamagedFolderError(`A backup was not restored to its end in ${dataDir}. Restore it again.`)
  }
  if (existsSync(path.join(folder, VERSION_FILE))) return folder
  requireNew(dataDir, folder)
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(UNFINISHED)) await rm(path.join(dataDir, name), { recursive: true, force: true, maxRetries: 5 })
  }
  const unfinished = path.join(dataDir, UNFINISHED + randomBytes(4).toString('hex'))
  try {
    await createIn(unfinished)
    await rename(unfinished, folder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true, maxRetries: 5 })
    throw error
  }
  return folder
}

/** Where there was a database, none is made anew over it or beside its keys. */
function requireNew(dataDir: string, folder: string): void {
  if (existsSync(folder)) {
    if (readdirSync(folder).length > 0) {
      const sentence = `The database in ${folder} is damaged: it has no ${VERSION_FILE}. Restore a backup (npx connect restore <folder>).`
      throw new DamagedFolderError(sentence)
    }
    rmdirSync(folder)
  }
  const moved = whereMoved(dataDir)
  if (moved !== undefined) throw new DamagedFolderError(`${moved.finding}. ${moved.cure}`)
  const left = OF_AN_INSTALLATION.filter((name) => existsSync(path.join(dataDir, name)))
  if (left.length === 0) return
  throw new DamagedFolderError(
    `${dataDir} holds ${left.join(' and ')} of an installation, but not its database. Restore a backup ` +
      '(npx connect restore <folder>), set DATABASE_URL if it is on a server, or move those files away to begin anew.',
  )
}

/** What is to be said of a data folder whose database was moved to a server; undefined when none was, or one is there again. */
export function whereMoved(dataDir: string): { finding: string; cure: string } | undefined {
  if (!existsSync(dataDir) || existsSync(path.join(dataDir, FOLDER, VERSION_FILE))) return undefined
  const aside = readdirSync(dataDir).find((name) => name.startsWith(MOVED) && !name.endsWith(MARK_SUFFIX))
  if (aside === undefined) return undefined
  return {
    finding: `The data of ${dataDir} was moved to PostgreSQL`,
    cure:
      'Set DATABASE_URL to the address that it was moved to. ' +
      `The database before the move is in ${aside}; to go back to it, rename it to ${FOLDER}.`,
  }
}

/** Puts the database aside that was moved to a server, so that nobody goes on with it beside the new one; gives where it is. */
export function putMovedAside(dataDir: string): string {
  const aside = path.join(dataDir, MOVED + Date.now())
  const mark = path.join(dataDir, WATERMARK_FILE)
  if (existsSync(mark)) renameSync(mark, aside + MARK_SUFFIX)
  renameSync(path.join(dataDir, FOLDER), aside)
  return aside
}

async function createIn(folder: string): Promise<void> {
  const child = spawn(process.execPath, [...FLAGS, SCRIPT, folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: CREATE_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-ERROR_CHARS_MAX)
  })
  const ended = Promise.withResolvers<string>()
  child.once('error', ended.reject)
  child.once('close', (code, signal) => ended.resolve(String(code ?? signal)))
  const result = await ended.promise
  if (result !== '0') throw new Error(`the embedded database could not be made (${result}): ${errors.trim()}`)
}
