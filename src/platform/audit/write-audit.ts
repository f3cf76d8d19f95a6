import { sql } from '../../database/drizzle.ts'
import { statement } from '../../database/statement.ts'
import { storedTime } from '../../time.ts'
import type { Env } from '../access/env.ts'
import type { GivenRows } from '../model/given-rows.ts'
import { insertManySql } from '../model/statements.ts'
import { auditModel } from './audit-model.ts'

/** One thing that somebody did. */
interface Entry {
  model: string
  id: number | undefined
  /** create, write, unlink, or the name of a method. */
  what: string
  changes?: object | undefined
}

const ROWS = insertManySql(auditModel, {
  columns: ['at', 'user', 'key', 'via', 'model', 'res_id', 'what', 'changes'],
})
const INSERT = statement<never, GivenRows>('audit_insert', sql`${ROWS}`)

/**
 * Writes down what somebody does, in the transaction in which it is done. What the service does by itself, for deliveries
 * and jobs, is nobody's doing: it stands in the log of deliveries and in runs.
 */
export function writeAudit({ db, identity, now }: Env, entries: readonly Entry[]): void {
  const { via, userId } = identity
  if (via === undefined || entries.length === 0) return
  const rows = entries.map(({ model, id, what, changes }) => ({
    at: storedTime(now),
    user: userId > 0 ? userId : null,
    key: via.kind === 'key' ? via.name : null,
    via: via.kind,
    model,
    res_id: id ?? null,
    what,
    changes: changes ?? null,
  }))
  db.send(INSERT, { rows })
}
