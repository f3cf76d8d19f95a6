import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import type { Config } from '../../config.ts'
import { UNFINISHED_RESTORE } from '../../database/engine-folder.ts'
import { WATERMARK_FILE } from '../../database/watermark.ts'
import { KEY_FILES } from '../../platform/key-file.ts'
import { configOf, outputOf } from '../command.ts'
import { ServiceRefusal } from '../connection.ts'
import { closeFolder, makeFilesPrivate } from '../private-files.ts'

/** What an installation cannot be run from again without. Keys are part of it: without them its secrets are lost. */
const KEPT = ['database', WATERMARK_FILE, 'media', 'spool', ...KEY_FILES, 'local-admin.key']
const MANIFEST = 'connect-backup.json'

export function addDataCommands(program: Command): void {
  program
    .command('backup <folder>')
    .description('copy everything of a stopped installation into a new folder')
    .action(async (folder: string, _options, command: Command) => {
      const { kept, left } = await backup(configOf(command), path.resolve(folder))
      const sentences = [
        `Copied ${kept.join(', ')} to ${folder}. Keep it safe: it holds the keys to every secret.`,
        ...left.map((each) => `Not in it: ${each}`),
      ]
      outputOf(command).done(sentences.join('\n'), { folder, kept, left })
    })
  program
    .command('restore <folder>')
    .description('put a backup into DATA_DIR; what is there is moved aside')
    .action(async (folder: string, _options, command: Command) => {
      const aside = await restore(configOf(command), path.resolve(folder))
      const sentence = `Restored.${aside === undefined ? '' : ` What was there is now in ${aside}.`}`
      outputOf(command).done(sentence, { folder, aside: aside ?? null })
    })
}

/** What was copied, and what an administrator has to keep in another way. */
async function backup(config: Config, folder: string): Promise<{ kept: string[]; left: string[] }> {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new ServiceRefusal(409, `${folder} is not empty.`)
  // While somebody serves from the folder its files change under us, so the copy would be none.
  const lock = await takeFolder(config)
  try {
    makeFilesPrivate()
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const kept = KEPT.filter((name) => existsSync(path.join(config.dataDir, name)))
    for (const name of kept) cpSync(path.join(config.dataDir, name), path.join(folder, name), { recursive: true })
    const manifest = {
      made_at: new Date().toISOString(),
      kept,
      database: config.databaseUrl === undefined ? 'embedded' : 'server',
    }
    writeFileSync(path.join(folder, MANIFEST), JSON.stringify(manifest, null, 2))
    closeFolder(folder)
    return { kept, left: leftOut(config) }
  } finally {
    lock.release()
  }
}

function leftOut(config: Config): string[] {
  const isInside = config.mediaDir === path.join(config.dataDir, 'media')
  return [
    ...(config.databaseUrl === undefined ? [] : ['the PostgreSQL database; pg_dump backs it up.']),
    ...(isInside ? [] : [`the audio in ${config.mediaDir}; copy that folder as well.`]),
    ...(config.secretKey === undefined ? [] : ['SECRET_KEY; without it the secrets of the settings cannot be read.']),
  ]
}

async function restore(config: Config, folder: string): Promise<string | undefined> {
  if (!existsSync(path.join(folder, MANIFEST)))
    throw new ServiceRefusal(404, `${folder} is not a backup: it has no ${MANIFEST}.`)
  requireSameKind(config, folder)
  makeFilesPrivate()
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const lock = await takeFolder(config)
  try {
    // A process that dies in between leaves a folder that says so, and that nobody starts on.
    const unfinished = path.join(config.dataDir, UNFINISHED_RESTORE)
    writeFileSync(unfinished, '')
    const present = KEPT.filter((name) => existsSync(path.join(config.dataDir, name)))
    const aside = present.length === 0 ? undefined : path.join(config.dataDir, `before-restore-${Date.now()}`)
    if (aside !== undefined) {
      mkdirSync(aside, { mode: 0o700 })
      for (const name of present) renameSync(path.join(config.dataDir, name), path.join(aside, name))
    }
    for (const name of KEPT) {
      const source = path.join(folder, name)
      if (existsSync(source)) cpSync(source, path.join(config.dataDir, name), { recursive: true })
    }
    closeFolder(config.dataDir)
    rmSync(unfinished)
    return aside
  } finally {
    lock.release()
  }
}

/** A backup of one kind of database restores nothing onto the other: it would leave keys and audio beside other records. */
function requireSameKind({ databaseUrl }: Config, folder: string): void {
  const { database } = JSON.parse(readFileSync(path.join(folder, MANIFEST), 'utf8')) as { database?: string }
  if (database === 'embedded' && databaseUrl !== undefined) {
    throw new ServiceRefusal(
      409,
      `${folder} is a backup of an embedded database, and DATABASE_URL names a server. Restore it without DATABASE_URL, ` +
        'then move it there: connect move --to <address>.',
    )
  }
  if (database === 'server' && databaseUrl === undefined) {
    throw new ServiceRefusal(
      409,
      `${folder} is a backup beside a PostgreSQL database, which it does not hold. Set DATABASE_URL to that database.`,
    )
  }
}

/** Refuses while the service runs on the folder. */
async function takeFolder({ dataDir }: Config): Promise<{ release: () => void }> {
  const { lockFolder } = await import('../../database/folder-lock.ts')
  return lockFolder(dataDir)
}
