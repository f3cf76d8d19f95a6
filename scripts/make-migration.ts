// Writes the SQL that brings the database from the last migration to what the models declare now.
// Then writes the types of the models for the page. Run it after each change of a model.
//   npm run migration -- <name>
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createModels } from '../src/app/models.ts'
import { MIGRATIONS_FOLDER } from '../src/database/migrations-folder.ts'
import { tablesOf } from '../src/platform/model/tables.ts'

interface Journal {
  version: string
  dialect: string
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[]
}

/** What the tables are after the last migration, on one line: nobody reads it, and every migration changes it. */
const SNAPSHOT = 'snapshot.json'
const EMPTY: Journal = { version: '7', dialect: 'postgresql', entries: [] }
const require = createRequire(import.meta.url)
const kit = require('drizzle-kit/api') as typeof import('drizzle-kit/api')

const meta = path.join(MIGRATIONS_FOLDER, 'meta')
mkdirSync(meta, { recursive: true })
const journal = readJson<Journal>('_journal.json') ?? EMPTY
const number = String(journal.entries.length).padStart(4, '0')
const last = journal.entries.at(-1)
const before = last === undefined ? kit.generateDrizzleJson({}) : readJson(SNAPSHOT)
const now = kit.generateDrizzleJson(tablesOf(createModels()), (before as { id: string }).id)
const statements = await kit.generateMigration(before as never, now as never)
if (statements.length === 0) {
  console.log('The models and the last migration say the same; nothing to write.')
} else {
  const tag = `${number}_${process.argv[2] ?? 'change'}`
  writeFileSync(path.join(MIGRATIONS_FOLDER, `${tag}.sql`), statements.join('\n--> statement-breakpoint\n'))
  writeFileSync(path.join(meta, SNAPSHOT), JSON.stringify(now))
  journal.entries.push({ idx: journal.entries.length, version: '7', when: Date.now(), tag, breakpoints: true })
  writeFileSync(path.join(meta, '_journal.json'), JSON.stringify(journal, null, 2))
  console.log(`Wrote ${tag}.sql with ${statements.length} statements.`)
}
await import('./make-web-models.ts')

function readJson<Content>(name: string): Content | undefined {
  try {
    return JSON.parse(readFileSync(path.join(meta, name), 'utf8')) as Content
  } catch {
    return undefined
  }
}
