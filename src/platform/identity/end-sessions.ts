import { Type } from 'typebox'
import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../access/env.ts'
import { method } from '../model/model.ts'

const Ended = Type.Object({ ended: Type.Integer() })

/** `res.users.session/end {ids}` signs those of one's own sessions out. */
export const endSessions = method({
  label: 'Sign out',
  operation: 'read',
  isAudited: true,
  reply: Ended,
  run: async (env, ids) => ({ ended: ids.length === 0 ? 0 : await endOwn(env, sql`id in (${idList(ids)})`) }),
})

/** `res.users.session/end_others {}` signs out everywhere but in the browser that asks. */
export const endOthers = method({
  label: 'Sign out everywhere else',
  operation: 'read',
  isAudited: true,
  reply: Ended,
  run: async (env) => ({ ended: await endOtherSessions(env) }),
})

/** Ends the sessions of the person who asks but the one that they ask in; gives how many there were. */
export async function endOtherSessions(env: Env): Promise<number> {
  const { via } = env.identity
  return endOwn(env, via?.kind === 'page' ? sql`id <> ${via.session}::bigint` : sql`true`)
}

async function endOwn({ db, identity: { userId } }: Env, which: SQL): Promise<number> {
  const ended = await db.query(
    sql`delete from res_users_session where user_id = ${userId}::bigint and ${which} returning id`,
  )
  if (ended.length > 0) await db.notify('connect_identity', String(userId))
  return ended.length
}
