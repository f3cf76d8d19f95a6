import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { type Config, readConfig } from '../../config.ts'
import { lockFolder } from '../../database/folder-lock.ts'
import { outputOf, withConnection } from '../command.ts'
import { ServiceRefusal } from '../connection.ts'

/** What an installation cannot be run from again without. Keys are part of it: without them its secrets are lost. */
const KEPT = ['database', 'media', 'spool', 'secret.key', 'local-admin.key']
const MANIFEST = 'connect-backup.json'
const PAGE_ROWS = 1_000

export function addDataCommands(program: Command): void {
  program
    .command('backup <folder>')
    .description('copy everything of a stopped installation into a new folder')
    .action((folder: string, _options, command: Command) => {
      const kept = backup(readConfig(), path.resolve(folder))
      outputOf(command).say(`Copied ${kept.join(', ')} to ${folder}. Keep it safe: it holds the keys to every secret.`)
    })
  program
    .command('restore <folder>')
    .description('put a backup into DATA_DIR; what is there is moved aside')
    .action((folder: string, _options, command: Command) => {
      const aside = restore(readConfig(), path.resolve(folder))
      outputOf(command).say(`Restored.${aside === undefined ? '' : ` What was there is now in ${aside}.`}`)
    })
  program
    .command('export <model>')
    .description('print every record of a model as JSON lines, such as connect.call')
    .option('--fields <names>', 'only these fields, separated by commas')
    .option('--domain <json>', 'only records that fit this search domain', '[]')
    .action((model: string, options: { fields?: string; domain: string }, command: Command) =>
      withConnection(command, async ({ connection }) => {
        const domain = parseDomain(options.domain)
        const fields = options.fields?.split(',').map((name) => name.trim()) ?? null
        for (let offset = 0; ; offset += PAGE_ROWS) {
          const args = { domain, fields, offset, limit: PAGE_ROWS, order: 'id' }
          const rows = await connection.call<object[]>(model, 'search_read', args)
          for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`)
          if (rows.length < PAGE_ROWS) return
        }
      }),
    )
}

function backup(config: Config, folder: string): string[] {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new ServiceRefusal(409, `${folder} is not empty.`)
  // While somebody serves from the folder its files change under us, so the copy would be none.
  const lock = lockFolder(config.dataDir)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const kept = KEPT.filter((name) => existsSync(path.join(config.dataDir, name)))
    for (const name of kept) cpSync(path.join(config.dataDir, name), path.join(folder, name), { recursive: true })
    const manifest = {
      made_at: new Date().toISOString(),
      kept,
      database: config.databaseUrl === undefined ? 'embedded' : 'server',
    }
    writeFileSync(path.join(folder, MANIFEST), JSON.stringify(manifest, null, 2))
    return config.databaseUrl === undefined ? kept : [...kept, '(the PostgreSQL database is backed up with pg_dump)']
  } finally {
    lock.release()
  }
}

function restore(config: Config, folder: string): string | undefined {
  if (!existsSync(path.join(folder, MANIFEST)))
    throw new ServiceRefusal(404, `${folder} is not a backup: it has no ${MANIFEST}.`)
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const lock = lockFolder(config.dataDir)
  try {
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
    return aside
  } finally {
    lock.release()
  }
}

function parseDomain(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ServiceRefusal(400, 'The domain is not valid JSON.')
  }
}
