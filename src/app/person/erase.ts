import { Type } from 'typebox'
import { findPerson, findUserOf, type NamedPerson } from '../../contacts/person-of.ts'
import { Refusal } from '../../errors.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { method, outsideMethod } from '../../platform/model/model.ts'
import type { Counts } from '../../platform/person/person.ts'
import { records } from '../../platform/records/records.ts'
import { ERASURE_JOB } from './erasure-job.ts'
import { forgetPerson } from './forget-person.ts'

const NAME_CHARS_MAX = 500

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
    const { counts, traces } = await forgetPerson(env, person)
    // The receipt is written for whoever erases, and nobody writes one by hand.
    const [erasure = 0] = await records(elevated(env), 'connect.erasure').create([
      { contact: ids[0] ?? 0, by: env.identity.userId > 0 ? env.identity.userId : null, counts },
    ])
    await keepPattern(env, erasure, person.pattern, [...traces.conversations, ...traces.sids])
    await env.platform.enqueue(env.db, { name: ERASURE_JOB, payload: { erasureId: erasure } })
    return { erasure, counts }
  },
})

/** What erasing would remove, found by doing it in a transaction that is given up. */
const erasePreview = outsideMethod({
  label: 'What erasing would remove',
  operation: 'unlink',
  groups: [GROUP.connectAdmin],
  reply: Type.Object({
    counts: CountsShape,
    shared: Type.Object({ numbers: Type.Array(Type.String()), names: Type.Array(Type.String()) }),
  }),
  async runOutside(open, ids) {
    let found: { counts: Counts; shared: NamedPerson['shared'] } | undefined
    try {
      await open(async (env) => {
        const person = await requirePerson(env, ids)
        found = { counts: (await forgetPerson(env, person)).counts, shared: person.shared }
        throw new GivenUp()
      })
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error
    }
    if (found === undefined) throw new Error('nothing was counted')
    return { counts: found.counts, shared: { numbers: found.shared.numbers, names: found.shared.names } }
  },
})

/** Not an error of anybody: it ends a transaction whose work is only counted. */
class GivenUp extends Error {}

async function requirePerson(env: Env, ids: readonly number[]): Promise<NamedPerson> {
  const [id, ...others] = ids
  const person = id === undefined || others.length > 0 ? undefined : await findPerson(env.db, id)
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

async function keepPattern(env: Env, erasure: number, pattern: string, marks: readonly string[]): Promise<void> {
  await records(elevated(env), 'connect.erasure').write([erasure], { pattern, marks })
}

export const erasing = { erase, erase_preview: erasePreview }
