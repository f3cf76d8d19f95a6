import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './source-files.ts'

const NOW = "now() at time zone 'utc'"

/** The blocks of SQL on a page of the documentation, in their order: what somebody would copy from it. */
export function sqlOfPage(page: string): string[] {
  const text = readFileSync(path.join(root, page), 'utf8')
  return [...text.matchAll(/```sql\n(.*?)```/gs)].map(([, sql = '']) => sql)
}

/** The same block as if it were run at another time. */
export function runAt(sql: string, time: string): string {
  return sql.replaceAll(NOW, `timestamp '${time}'`)
}
