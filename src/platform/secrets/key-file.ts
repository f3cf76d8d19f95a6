import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { ConfigError } from '../../config.ts'

const KEY_BYTES = 32
const KEY_FILE = 'secret.key'
/** There while a change of the key is under way: what it had encrypted is being encrypted anew. */
const OLD_KEY_FILE = 'secret.key.old'

/** Files of the data folder without which its secrets cannot be read. */
export const KEY_FILES: readonly string[] = [KEY_FILE, OLD_KEY_FILE]

/** Whether the data folder has a key of its own. */
export function hasKeyFile(dataDir: string): boolean {
  return existsSync(path.join(dataDir, KEY_FILE))
}

/**
 * The key of a data folder, made on first start (mode 0600). Made beside and linked, so that neither a crash nor a second
 * process leaves half a key under its name.
 */
export function readOrMakeKey(dataDir: string): string {
  const file = path.join(dataDir, KEY_FILE)
  const present = readKey(file)
  if (present !== undefined) return present
  const fresh = writeBeside(file, newKey())
  try {
    linkSync(fresh, file)
  } catch (error) {
    // Some file systems know no links.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(fresh, file)
  } finally {
    rmSync(fresh, { force: true })
  }
  return readOrMakeKey(dataDir)
}

/** The key before, while a change of the key is under way. */
export function readOldKey(dataDir: string): string | undefined {
  return readKey(path.join(dataDir, OLD_KEY_FILE))
}

/**
 * Gives the data folder a new key. The one it has is on disk as the old one before, so that a process killed at any point
 * leaves both keys, or the one that everything is encrypted with.
 */
export function changeKey(dataDir: string): void {
  const file = path.join(dataDir, KEY_FILE)
  const old = path.join(dataDir, OLD_KEY_FILE)
  if (existsSync(old)) throw new ConfigError([`DATA_DIR holds ${OLD_KEY_FILE}: an earlier change has not ended.`])
  renameSync(writeBeside(old, readOrMakeKey(dataDir)), old)
  syncFolder(dataDir)
  renameSync(writeBeside(file, newKey()), file)
  syncFolder(dataDir)
}

/** Ends a change of the key: nothing is encrypted with the old one any more. */
export function removeOldKey(dataDir: string): void {
  rmSync(path.join(dataDir, OLD_KEY_FILE), { force: true })
  syncFolder(dataDir)
}

function newKey(): string {
  return randomBytes(KEY_BYTES).toString('base64')
}

/** A file with the key, whole on disk, under a name of its own beside the one it is for. */
function writeBeside(file: string, key: string): string {
  const fresh = `${file}.${randomBytes(4).toString('hex')}`
  const opened = openSync(fresh, 'wx', 0o600)
  try {
    writeSync(opened, key)
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
  return fresh
}

/** A name is on disk when its folder is. */
function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

/** Undefined when there is no such file. Throws when it cannot be read or is empty. */
function readKey(file: string): string | undefined {
  try {
    const key = readFileSync(file, 'utf8').trim()
    if (key === '') throw new ConfigError([`DATA_DIR holds an empty ${path.basename(file)}: put the right one back.`])
    return key
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
