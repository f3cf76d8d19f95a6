import { type ErasureMarks, lockErasure, type OpenErasure, saveErasureProgress } from '../../contacts/erasures.ts'
import type { Database } from '../../database/database.ts'
import { inPieces } from '../../in-pieces.ts'
import { type Env, elevated, type Platform } from '../../platform/access/env.ts'
import { NOBODY } from '../../platform/access/identity.ts'
import { envOf } from '../../platform/api/rpc.ts'
import type { Forgotten, Sought } from '../../platform/person/person.ts'
import { countsOf, findLeft, forgetPiece, joined, newOf, nextPiece, removeContact } from './forget-person.ts'
import type { ErasureSearch } from './search.ts'

/** Lists of rows after which one that is found again is not forgotten again: an erasure ends whatever is written meanwhile. */
const PARTS_MAX = 100

/** What an erasure forgets, as its receipt holds it until the end. */
export interface ErasurePlan {
  sought: Sought
  /** The rows that were the person's when the erasure began, and those that came or were given back while it was under way. */
  parts: Forgotten[]
}

/** What is looked for afterwards. */
export function searchedBy({ sought, parts }: ErasurePlan): ErasureSearch {
  return { sought, linked: joined(parts) }
}

/** Reads what a receipt holds; one that was written by an earlier version has all rows in one list. */
export function readPlan(pattern: string): ErasurePlan {
  const { sought, parts, linked } = JSON.parse(pattern) as ErasurePlan & Partial<ErasureSearch>
  return { sought, parts: parts ?? [linked ?? {}] }
}

/** Forgets a person some rows at a time, each time in a transaction of its own; goes on where it was when the process ended. */
export async function forgetInPieces(
  { db, platform }: { db: Database; platform: Platform },
  id: number,
): Promise<void> {
  const settings = await platform.settings.get()
  await inPieces((rows) =>
    db.transaction(async (tx) => {
      const open = await lockErasure(tx, id)
      if (open === undefined) return false
      // Anyone who asked for the erasure was allowed to do all of it.
      const identity = { ...NOBODY, userId: open.by ?? 0 }
      return forgetSome(elevated(envOf({ platform, settings, identity }, tx)), id, { open, rows })
    }),
  )
}

/** Forgets the next rows of a person, and says whether some are left. The contact goes when nothing of theirs is found any more. */
async function forgetSome(env: Env, id: number, { open, rows }: { open: OpenErasure; rows: number }): Promise<boolean> {
  const { gone, ...marks } = open.marks
  if (gone === undefined) return false
  const plan = readPlan(open.pattern)
  const person = { contacts: [open.contact], numbers: plan.sought.numbers, sought: plan.sought }
  const save = (progress: Omit<Parameters<typeof saveErasureProgress>[2], 'marks'>, left: Partial<ErasureMarks>) =>
    saveErasureProgress(env.db, id, { marks: { ...marks, ...left }, ...progress })
  const piece = nextPiece(plan.parts, gone, rows)
  if (piece !== undefined) {
    await forgetPiece(env.db, piece, person)
    await save({ found: countsOf(piece.firsts) }, { gone: gone + piece.ids.length })
    return true
  }
  const known = joined(plan.parts)
  const { theirs, traces } = await findLeft(env.db, person, { known, texts: marks.texts })
  const fresh = plan.parts.length < PARTS_MAX ? theirs : newOf(theirs, known)
  if (Object.keys(fresh).length > 0) {
    const pattern = JSON.stringify({ ...plan, parts: [...plan.parts, fresh] } satisfies ErasurePlan)
    const texts = [...new Set([...marks.texts, ...traces.conversations, ...traces.sids])]
    await save({ found: {}, pattern }, { gone, texts })
    return true
  }
  await save({ found: await removeContact(env, person.contacts) }, {})
  return false
}
