import { Type } from 'typebox'
import { type ErasureMarks, findErasureOf, isIdleErasure, lockErasure, resumeErasure } from '../../contacts/erasures.ts'
import { findUserOf, type NamedPerson } from '../../contacts/person-of.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { Refusal } from '../../errors.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { outsideMethod } from '../../platform/model/model.ts'
import { findMentions, type Mention } from '../../platform/person/find-mentions.ts'
import type { Counts, Forgotten } from '../../platform/person/person.ts'
import { records } from '../../platform/records/records.ts'
import { ERASURE_JOB } from './erasure-job.ts'
import { type ErasurePlan, readPlan } from './forget-in-pieces.ts'
import { countsOf, findTheirs, forgetPiece, joined, removeContact, sizeOf, type Theirs } from './forget-person.ts'
import { findPersonOfContact } from './person-of-contact.ts'
import { queriesOf } from './queries-of.ts'
import { searchOf } from './search.ts'

const NAME_CHARS_MAX = 500
/** Rows of a person that are removed while the person who asked for it waits. */
const ROWS_IN_CALL = 200
/** Records of others that the preview names. */
const MENTIONS_MAX = 100
/** Nobody waits longer for a preview. */
const PREVIEW_MS = 20_000
const MS_PER_SECOND = 1_000

const CountsShape = Type.Record(Type.String(), Type.Integer())

/**
 * What the person's records lead to goes at once where it is little, and some rows at a time in a job where it is much; what else
 * names them, and the files, go in the job too. Who asks again finds the erasure that is under way.
 */
const erase = outsideMethod({
  label: 'Erase the person',
  operation: 'unlink',
  groups: [GROUP.connectAdmin],
  args: Type.Object({
    confirm: Type.String({ maxLength: NAME_CHARS_MAX, description: "Type the contact's name to confirm." }),
  }),
  reply: Type.Object({
    erasure: Type.Integer(),
    counts: CountsShape,
    is_gone: Type.Boolean({ description: 'False while rows of the person are still being removed.' }),
  }),
  async runOutside(open, ids, { confirm }) {
    const found = await open((env) => requirePerson(env, ids))
    if (confirm.trim() !== found.name.trim()) {
      throw new Refusal('refused', 'erase-other-name')
    }
    const before = await open((env) => askAgain(env, found))
    if (before !== undefined) return before
    // Each look by itself: a person with thousands of rows holds nobody up.
    const all = await findTheirs(queriesOf(open), found)
    return open(async (env) => {
      // Two who ask at once begin one erasure; what comes in with the contact meanwhile does not wait.
      await env.db.query(sql`select 1 from res_partner where id in (${idList(found.contacts)}) for no key update`)
      const person = await requirePerson(env, ids)
      return (await askAgain(env, person)) ?? begin(env, person, all)
    })
  },
})

/** What is answered to who asks for an erasure that is under way, or has failed: then it goes on. */
async function askAgain(env: Env, { contacts: [contact = 0] }: NamedPerson): Promise<Begun | undefined> {
  const open = await findErasureOf(env.db, contact)
  // Of two who ask at once the second sees the job that the first one asked for.
  if (open === undefined || (await lockErasure(env.db, open.id)) === undefined) return undefined
  await resumeErasure(env.db, open.id)
  if (await isIdleErasure(env.db, { id: open.id, job: ERASURE_JOB })) {
    await env.platform.enqueue(env.db, { name: ERASURE_JOB, payload: { erasureId: open.id } })
  }
  return { erasure: open.id, counts: countsOf(joined(readPlan(open.pattern).parts)), is_gone: false }
}

interface Begun {
  erasure: number
  counts: Counts
  is_gone: boolean
}

/** Writes the receipt, and forgets what is little in the same transaction. */
async function begin(env: Env, person: NamedPerson, all: Theirs): Promise<Begun> {
  const isLittle = sizeOf(all.theirs) <= ROWS_IN_CALL
  const { theirs, traces } = isLittle ? await findTheirs(env.db, person) : all
  const counts = countsOf(theirs)
  if (isLittle) await forgetAll(env, theirs, person)
  const [contact = 0] = person.contacts
  // The receipt is written for the person who erases, and nobody writes one by hand.
  const receipts = records(elevated(env), 'connect.erasure')
  const by = env.identity.userId > 0 ? env.identity.userId : null
  const [erasure = 0] = await receipts.create([{ contact, by, counts: isLittle ? counts : {} }])
  const plan: ErasurePlan = { sought: person.sought, parts: [theirs] }
  // What reports add until the job begins is looked for there, also where all that there was is gone.
  const gone = isLittle ? sizeOf(theirs) - person.contacts.length : 0
  const marks: ErasureMarks = { texts: [...traces.conversations, ...traces.sids], gone }
  await receipts.write([erasure], { pattern: JSON.stringify(plan), marks })
  await env.platform.enqueue(env.db, { name: ERASURE_JOB, payload: { erasureId: erasure } })
  return { erasure, counts, is_gone: isLittle }
}

async function forgetAll(env: Env, theirs: Forgotten, person: NamedPerson): Promise<void> {
  for (const [model, rows] of Object.entries(theirs)) {
    if (rows.length > 0) await forgetPiece(env.db, { model, ids: rows }, person)
  }
  await removeContact(env, person.contacts)
}

/** What erasing would remove and change, found by the same searches, each look by itself. */
const erasePreview = outsideMethod({
  label: 'Preview an erasure',
  operation: 'unlink',
  groups: [GROUP.connectAdmin],
  reply: Type.Object({
    counts: CountsShape,
    redacted: Type.Record(Type.String(), Type.Integer(), {
      description: 'Records of others in which their number, address or name is redacted, by model.',
    }),
    mentions: Type.Array(Type.Object({ model: Type.String(), id: Type.Integer(), fields: Type.Array(Type.String()) }), {
      description: `The first ${MENTIONS_MAX} of them, with the fields that change; none where a record is emptied.`,
    }),
    is_complete: Type.Boolean({
      description: `False when the search of ${PREVIEW_MS / MS_PER_SECOND} s found no end: there may be more.`,
    }),
    shared: Type.Object({ numbers: Type.Array(Type.String()), names: Type.Array(Type.String()) }),
  }),
  async runOutside(open, ids) {
    const person = await open((env) => requirePerson(env, ids))
    const { theirs } = await findTheirs(queriesOf(open), person)
    const search = await open(async ({ platform }) => searchOf(platform, { sought: person.sought, linked: theirs }))
    const gone = new Map(Object.entries(theirs).map(([model, rows]) => [model, new Set(rows)]))
    const redacted: Counts = {}
    const mentions: Mention[] = []
    const endsAt = performance.now() + PREVIEW_MS
    let isComplete = true
    for await (const page of findMentions((query) => open((env) => env.db.query(query)), search)) {
      const found = page.found.filter(({ id }) => gone.get(page.model)?.has(id) !== true)
      if (found.length > 0) redacted[page.model] = (redacted[page.model] ?? 0) + found.length
      mentions.push(...found.slice(0, MENTIONS_MAX - mentions.length))
      isComplete = performance.now() < endsAt
      if (!isComplete) break
    }
    return {
      counts: countsOf(theirs),
      redacted,
      mentions: mentions.map(({ model, id, changes }) => ({
        model: model.name,
        id,
        fields: changes.map(({ column }) => column),
      })),
      is_complete: isComplete,
      shared: { numbers: person.shared.numbers, names: person.shared.names },
    }
  },
})

async function requirePerson(env: Env, ids: readonly number[]): Promise<NamedPerson> {
  const [id, ...others] = ids
  const person = id === undefined || others.length > 0 ? undefined : await findPersonOfContact(env.db, id)
  if (person === undefined) throw new Refusal('refused', 'api-one-erased')
  const user = await findUserOf(env.db, person.contacts)
  if (user !== undefined) {
    throw new Refusal('refused', 'contact-of-user', { user })
  }
  return person
}

export const erasing = { erase, erase_preview: erasePreview }
