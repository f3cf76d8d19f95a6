import { readFileSync } from 'node:fs'
import path from 'node:path'
import { MIGRATIONS_FOLDER } from '../../src/database/migrations-folder.ts'

const BREAK = '--> statement-breakpoint'
const TITLE = /^-- # (.*)$/m

/** The statements under one title of the upgrade from the first release, in their order. */
export function statementsOf(title: string): string[] {
  const file = readFileSync(path.join(MIGRATIONS_FOLDER, '0001_since_first.sql'), 'utf8')
  let current = ''
  return file.split(BREAK).filter((each) => {
    current = TITLE.exec(each)?.[1] ?? current
    return current === title
  })
}
