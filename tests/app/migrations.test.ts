import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createModels } from '../../src/app/models.ts'
import { MIGRATIONS_FOLDER } from '../../src/database/migrations-folder.ts'
import { tablesOf } from '../../src/platform/model/tables.ts'

const require = createRequire(import.meta.url)

describe('the migrations', () => {
  it('lead to exactly the tables that the models declare', async () => {
    const { generateDrizzleJson, generateMigration } = require('drizzle-kit/api') as typeof import('drizzle-kit/api')
    const before = JSON.parse(readFileSync(path.join(MIGRATIONS_FOLDER, 'meta/snapshot.json'), 'utf8'))
    const now = generateDrizzleJson(tablesOf(createModels()), before.id)
    expect(await generateMigration(before, now as never), 'run: npm run migration -- <name>').toEqual([])
  })
})
