import { sql } from '../../../database/drizzle.ts'
import { param, statement } from '../../../database/statement.ts'
import type { Env } from '../../../platform/access/env.ts'
import type { Application } from '../decide/loaded.ts'

const FIND = statement<Application, { id: number }>(
  'routing_markup',
  sql`select id, code_type, markup, model, method from connect_telco_markup where id = ${param('id')}`,
)

/** The application with that id; undefined when there is none. */
export async function findApplication({ db }: Pick<Env, 'db'>, id: number): Promise<Application | undefined> {
  const [application] = await db.run(FIND, { id })
  return application
}
