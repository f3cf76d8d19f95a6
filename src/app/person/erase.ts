import { Type } from 'typebox'
import { findUserOf, type NamedPerson } from '../../contacts/person-of.ts'
import { Refusal } from '../../errors.ts'
import { type Env, elevated, type OpenEnv } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { method, outsideMethod } from '../../platform/model/model.ts'
import { findMentions, type Mention } from '../../platform/person/find-mentions.ts'
import type { Counts, Forgotten } from '../../platform/person/person.ts'
import { records } from '../../platform/records/records.ts'
import { ERASURE_JOB } from './erasure-job.ts'
import { countsOf, forgetPerson } from './forget-person.ts'
import { findPersonOfContact } from './person-of-contact.ts'
import { searchOf } from './search.ts'

const NAME_CHARS_MAX = 500
/** Records of others that the preview names. */
const MENTIONS_MAX = 100
/** Nobody waits longer for a preview. */
const PREVIEW_MS = 20_000
const MS_PER_SECOND = 1_000

const CountsShape = Type.Record(Type.String(), Type.Integer())

/** Everything the person's records lead to goes at once; what else names them, and the files, in a job after it. */
const erase = method({
  label: 'Erase the person',
  operation: 'unlink',
  groups: [GROUP.connectAdmin],
  args: Type.Object({
    confirm: Type.String({ maxLength: NAME_CHARS_MAX, description: 'The name of the contact, typed.' }),
  }),
  reply: Type.Object({ erasure: Type.Integer(), counts: CountsShape }),
  async run(env, ids, { confirm }) {
    const person = await requirePerson(env, ids)
    if (confirm.trim() !== person.name.trim()) {
      throw new Refusal('refused', 'The name that was typed is not the name of the contact: nothing was erased.')
    }
    const { forgotten, traces } = await forgetPerson(env, person)
    const counts = countsOf(forgotten)
    // The receipt is written for whoever erases, and nobody writes one by hand.
    const [erasure = 0] = await records(elevated(env), 'connect.erasure').create([
      { contact: ids[0] ?? 0, by: env.identity.userId > 0 ? env.identity.userId : null, counts },
    ])
    const pattern = JSON.stringify({ sought: person.sought, linked: forgotten })
    const marks = { texts: [...traces.conversations, ...traces.sids] }
    await records(elevated(env), 'connect.erasure').write([erasure], { pattern, marks })
    await env.platform.enqueue(env.db, { name: ERASURE_JOB, payload: { erasureId: erasure } })
    return { erasure, counts }
  },
})

/** What erasing would remove, found by doing it in a transaction that is given up, and by the search that comes after it. */
const erasePreview = outsideMethod({
  label: 'What erasing would remove',
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
    const { person, forgotten } = await forgetInVain(open, ids)
    const search = await open(async ({ platform }) => searchOf(platform, { sought: person.sought, linked: forgotten }))
    const gone = new Map(Object.entries(forgotten).map(([model, rows]) => [model, new Set(rows)]))
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
      counts: countsOf(forgotten),
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

/** Erases in a transaction that is given up. */
async function forgetInVain(
  open: OpenEnv,
  ids: readonly number[],
): Promise<{ person: NamedPerson; forgotten: Forgotten }> {
  let found: { person: NamedPerson; forgotten: Forgotten } | undefined
  try {
    await open(async (env) => {
      const person = await requirePerson(env, ids)
      found = { person, forgotten: (await forgetPerson(env, person)).forgotten }
      throw new GivenUp()
    })
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error
  }
  if (found === undefined) throw new Error('nothing was found')
  return found
}

/** Not an error of anybody: it ends a transaction whose work is only counted. */
class GivenUp extends Error {}

async function requirePerson(env: Env, ids: readonly number[]): Promise<NamedPerson> {
  const [id, ...others] = ids
  const person = id === undefined || others.length > 0 ? undefined : await findPersonOfContact(env.db, id)
  if (person === undefined) throw new Refusal('refused', 'One person is erased at a time: name one contact.')
  const user = await findUserOf(env.db, person.contacts)
  if (user !== undefined) {
    throw new Refusal(
      'refused',
      `This is the contact of the user "${user}". Remove the user first, then erase the contact.`,
    )
  }
  return person
}

export const erasing = { erase, erase_preview: erasePreview }
