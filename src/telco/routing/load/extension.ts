import { sql } from '../../../database/drizzle.ts'
import { listed } from '../../../database/listed.ts'
import { statement } from '../../../database/statement.ts'
import type { Env } from '../../../platform/access/env.ts'
import { extenPattern, IS_PATTERN } from '../../extensions/extension-number.ts'
import type { Extension } from '../decide/loaded.ts'

/** More patterns than this make no dial plan. */
const PATTERNS_MAX = 500
/** No number that somebody dials is longer; patterns are not tried on more. */
const DIALLED_CHARS_MAX = 64

const COLUMNS = sql`select id, number, model, res_id from connect_telco_exten`

const BY_IDS = statement<Extension, { ids: readonly number[] }>(
  'routing_extens',
  sql`${COLUMNS} where id in ${listed('ids', 'bigint')}`,
)

const BY_NUMBERS = statement<Extension, { numbers: readonly string[] }>(
  'routing_exten_numbers',
  sql`${COLUMNS} where number in ${listed('numbers', 'text')}`,
)

const PATTERNS = statement<Extension>(
  'routing_exten_patterns',
  sql`${COLUMNS} where ${sql.raw(IS_PATTERN)} order by number limit ${sql.raw(String(PATTERNS_MAX))}`,
)

/** The extensions with these ids, as far as there are any. */
export async function findExtensions({ db }: Pick<Env, 'db'>, ids: readonly number[]): Promise<Map<number, Extension>> {
  const extensions = await db.run(BY_IDS, { ids })
  return new Map(extensions.map((extension) => [extension.id, extension]))
}

/** The extensions with exactly these numbers. The provider writes `+` before bare extensions, which is taken off again. */
export async function findExtensionsByNumber(
  { db }: Pick<Env, 'db'>,
  numbers: readonly string[],
): Promise<Map<string, Extension>> {
  const written = new Set(numbers.flatMap((number) => [number, bare(number) ?? number]))
  const extensions = await db.run(BY_NUMBERS, { numbers: [...written] })
  const byNumber = new Map(extensions.map((extension) => [extension.number, extension]))
  return new Map(
    numbers.flatMap((number) => {
      const extension = byNumber.get(number) ?? byNumber.get(bare(number) ?? number)
      return extension === undefined ? [] : [[number, extension] as const]
    }),
  )
}

function bare(number: string): string | undefined {
  return /^\+(\d{1,4})$/.exec(number)?.[1]
}

/** Of each number, the extensions whose pattern it fits as a whole. */
export async function findExtensionsByPattern(
  { db }: Pick<Env, 'db'>,
  numbers: readonly string[],
): Promise<Map<string, Extension[]>> {
  const patterns = (await db.run(PATTERNS, {})).map((extension) => ({
    extension,
    pattern: extenPattern(extension.number),
  }))
  const fitting = (number: string): Extension[] =>
    number.length > DIALLED_CHARS_MAX
      ? []
      : patterns.flatMap(({ extension, pattern }) => (pattern?.test(number) === true ? [extension] : []))
  return new Map(numbers.map((number) => [number, fitting(number)]))
}
