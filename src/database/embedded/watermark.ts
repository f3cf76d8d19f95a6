// How far the log of the embedded engine was written, saved beside the engine's folder: an engine that finds less of its
// log than that begins where the log ends and says nothing.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type SQL, sql } from '../drizzle.ts'

/** Part of a backup, so that an older database does not meet a newer mark. */
export const WATERMARK_FILE = 'database.watermark'
/** How much of the log may be missing without being noticed: what was written since. */
const SAVE_EVERY_MS = 2_000
const HALF_BITS = 32n
const BASE = 16

type Query = (query: SQL) => Promise<{ at: string }[]>

const WHERE = sql`select pg_current_wal_insert_lsn()::text as at`

/** A sentence when the log ends before the mark; undefined when all of it is there. */
export async function compareWithWatermark(dataDir: string, query: Query): Promise<string | undefined> {
  const file = path.join(dataDir, WATERMARK_FILE)
  if (!existsSync(file)) return undefined
  const saved = readFileSync(file, 'utf8').trim()
  const [now] = await query(WHERE)
  if (now === undefined || position(now.at) >= position(saved)) return undefined
  return (
    `The end of the log of the database in ${dataDir} is missing (it ends at ${now.at} and had reached ${saved}): ` +
    'the latest changes are lost, of which some were acknowledged. Restore a backup, or ask the providers for what is missing.'
  )
}

/** Saves now and then how far the log is; gives a function that saves it a last time and ends that. */
export function startSavingWatermark(dataDir: string, query: Query): () => Promise<void> {
  let last = ''
  const save = async (): Promise<void> => {
    const [now] = await query(WHERE)
    if (now === undefined || now.at === last) return
    writeWatermark(dataDir, now.at)
    last = now.at
  }
  // On a full disk, or when the engine is busy, the older mark stays.
  const timer = setInterval(() => void save().catch(() => undefined), SAVE_EVERY_MS).unref()
  return async () => {
    clearInterval(timer)
    await save().catch(() => undefined)
  }
}

/** Saves that the log of the database in this data folder, or in this backup, reaches to there. */
export function writeWatermark(dataDir: string, at: string): void {
  const file = path.join(dataDir, WATERMARK_FILE)
  // Written beside and moved, so that a process that dies leaves no half of it.
  writeFileSync(`${file}.fresh`, `${at}\n`, { mode: 0o600 })
  renameSync(`${file}.fresh`, file)
}

/** `16/B374D848` as a number; 0 for what is none. */
function position(text: string): bigint {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  if (high === undefined || low === undefined) return 0n
  return (BigInt(Number.parseInt(high, BASE)) << HALF_BITS) + BigInt(Number.parseInt(low, BASE))
}
