import { sql } from '../../../database/drizzle.ts'
import { param, statement } from '../../../database/statement.ts'
import type { Env } from '../../../platform/access/env.ts'
import { extenPattern, IS_PATTERN } from '../../extensions/extension-number.ts'
import type { Extension } from '../decide/loaded.ts'

/** More patterns than this make no dial plan. */
const PATTERNS_MAX = 500
/** No number that somebody dials is longer; patterns are not tried on more. */
const DIALLED_CHARS_MAX = 64

const COLUMNS = sql`select id, number, model, res_id from connect_telco_exten`

const BY_ID = statement<Extension, { id: number }>('routing_exten', sql`${COLUMNS} where id = ${param('id')}`)

const BY_NUMBER = statement<Extension, { number: string; bare: string | null }>(
  'routing_exten_number',
  sql`${COLUMNS} where number in (${param('number')}, ${param('bare')}) order by number <> ${param('number')} limit 1`,
)

const PATTERNS = statement<Extension>(
  'routing_exten_patterns',
  sql`${COLUMNS} where ${sql.raw(IS_PATTERN)} order by number limit ${sql.raw(String(PATTERNS_MAX))}`,
)

export async function findExtension({ db }: Pick<Env, 'db'>, id: number): Promise<Extension | undefined> {
  const [extension] = await db.run(BY_ID, { id })
  return extension
}

/** The extension with exactly this number. The provider writes `+` before bare extensions, which is taken off again. */
export async function findExtensionByNumber({ db }: Pick<Env, 'db'>, number: string): Promise<Extension | undefined> {
  const bare = /^\+(\d{1,4})$/.exec(number)?.[1] ?? null
  const [extension] = await db.run(BY_NUMBER, { number, bare })
  return extension
}

/** Extensions whose pattern the whole number fits. */
export async function findExtensionsByPattern({ db }: Pick<Env, 'db'>, number: string): Promise<Extension[]> {
  if (number.length > DIALLED_CHARS_MAX) return []
  const patterns = await db.run(PATTERNS, {})
  return patterns.filter((extension) => extenPattern(extension.number)?.test(number) === true)
}
