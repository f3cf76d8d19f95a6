import { sql } from '../../database/drizzle.ts'
import { listed } from '../../database/listed.ts'

/**
 * The beginning of a statement: `legs` are those with the `sids`, the legs they were dialled out of, and all others of their
 * calls. A leg that comes late may say who was called, or which call it is, for a recording of any of them.
 */
export const RELATED_LEGS = sql`with named as (
    select sid, parent_sid, call from connect_channel where sid in ${listed('sids', 'text')}
  ), legs as (
    select sid from named
    union select parent_sid from named where parent_sid is not null
    union select l.sid from connect_channel l where l.call in (select call from named where call is not null)
  )`
