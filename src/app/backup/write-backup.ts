import { existsSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../config.ts'
import { FileCopier, measureFiles } from '../../copy-files.ts'
import type { Database } from '../../database/database.ts'
import { WATERMARK_FILE } from '../../database/embedded/watermark.ts'
import { DiskRoom } from '../../disk-room.ts'
import { KEY_FILES } from '../../platform/secrets/key-file.ts'
import { LOCAL_KEY_FILE } from '../data-files.ts'

const DATABASE = 'database'
const MEDIA = 'media'
const SPOOL = 'spool'
/** What an installation cannot be run from again without. Keys are part of it: without them its secrets are lost. */
export const KEPT = [DATABASE, WATERMARK_FILE, MEDIA, SPOOL, ...KEY_FILES, LOCAL_KEY_FILE]
/** Written when all the rest is safe on disk: a folder without it is no backup. */
export const MANIFEST = 'connect-backup.json'
/** Below the database the log, of which a running engine's copy has little, and below the audio what is still arriving. */
const NOT_COPIED = ['pg_wal', 'incoming']
/**
 * Bytes that stay free beside a running service, which writes meanwhile: with less than 96 MB it stores no audio, and with less
 * than 64 MB its database only reads.
 */
export const RUNNING_ROOM_BYTES = 256 * 1024 * 1024

interface BackupParts {
  config: Pick<Config, 'dataDir' | 'mediaDir' | 'databaseUrl' | 'secretKey'>
  /** The database, while a service runs on it; without it nobody may use the data folder. */
  running?: Pick<Database, 'copyWhileRunning'>
  signal?: AbortSignal
  /** Hears what is done now. */
  onStep?: (step: string) => void
}

/** What a backup holds, and what an administrator has to keep in another way. */
interface BackupContents {
  kept: string[]
  left: string[]
  /** How long the database of a running service was held, in milliseconds. */
  heldMs: number | undefined
}

/** Copies everything an installation needs into a folder. What it wrote stays there without a manifest when it throws. */
export async function writeBackup(parts: BackupParts, folder: string): Promise<BackupContents> {
  const { config, running, signal, onStep = () => undefined } = parts
  const source = (name: string): string => path.join(config.dataDir, name)
  const target = (name: string): string => path.join(folder, name)
  if (running !== undefined) await requireRoom(config.dataDir, folder)
  const copier = new FileCopier({
    ...(signal === undefined ? {} : { signal }),
    ...(running === undefined ? {} : { bytesFree: RUNNING_ROOM_BYTES }),
  })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const copyFolder = async (name: string, options: Parameters<FileCopier['folder']>[2] = {}): Promise<void> => {
    if (existsSync(source(name))) await copier.folder(source(name), target(name), options)
  }
  // Audio never changes: only what comes while the database is copied is left for afterwards.
  const copyAudio = (): Promise<void> => copyFolder(MEDIA, { except: ['incoming'], onlyNew: true })
  for (const name of [...KEY_FILES, LOCAL_KEY_FILE]) await copier.file(source(name), target(name))
  onStep('copying the audio')
  await copyAudio()
  if (config.databaseUrl === undefined) onStep('copying the database')
  let heldMs: number | undefined
  const whileHeld = (): Promise<void> => copyFolder(SPOOL)
  if (running?.copyWhileRunning === undefined) {
    await copyFolder(DATABASE)
    await copier.file(source(WATERMARK_FILE), target(WATERMARK_FILE))
    await whileHeld()
  } else {
    heldMs = (await running.copyWhileRunning(folder, { copier, onStep, whileHeld })).heldMs
    onStep('copying the latest audio')
    await copyAudio()
  }
  onStep('waiting for the disk')
  await copier.sync(folder)
  const kept = KEPT.filter((name) => existsSync(target(name)))
  const manifest = {
    made_at: new Date().toISOString(),
    kept,
    database: config.databaseUrl === undefined ? 'embedded' : 'server',
    ...(heldMs === undefined ? {} : { held_ms: heldMs }),
  }
  writeFileSync(target(MANIFEST), JSON.stringify(manifest, null, 2), { flush: true, mode: 0o600 })
  return { kept, left: leftOut(config), heldMs }
}

/** Refuses before anything is written: a backup must not make the service that runs read only. */
async function requireRoom(dataDir: string, folder: string): Promise<void> {
  let bytes = 0
  for (const name of KEPT) bytes += await measureFiles(path.join(dataDir, name), NOT_COPIED)
  new DiskRoom(folder, RUNNING_ROOM_BYTES).require(bytes)
}

function leftOut({ databaseUrl, dataDir, mediaDir, secretKey }: BackupParts['config']): string[] {
  const isInside = mediaDir === path.join(dataDir, MEDIA)
  return [
    ...(databaseUrl === undefined ? [] : ['the PostgreSQL database; pg_dump backs it up.']),
    ...(isInside ? [] : [`the audio in ${mediaDir}; copy that folder as well.`]),
    ...(secretKey === undefined ? [] : ['SECRET_KEY; without it the secrets of the settings cannot be read.']),
  ]
}
