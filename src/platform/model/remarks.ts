import type { Env } from '../access/env.ts'
import { GROUP } from '../access/identity.ts'
import { computed } from './fields.ts'

/** Sentences by the id of the record that they are about. */
export type Remarks = ReadonlyMap<number, readonly string[]>

/**
 * What of a record can be saved and does not work as somebody may expect: a form says it above its fields, and the checks of the
 * installation list it. It is never a reason to refuse (docs/reference/domain.md#remarks).
 */
export function remarksField(find: (env: Env, ids: readonly number[]) => Promise<Remarks>) {
  return computed('Remarks', 'json', {
    depends: [],
    isHeavy: true,
    groups: [GROUP.connectAdmin],
    help: 'What to check.',
    async compute(env, rows) {
      const ids = rows.map(({ id }) => id)
      const found = ids.length === 0 ? undefined : await find(env, ids)
      return ids.map((id) => [...(found?.get(id) ?? [])])
    },
  })
}

/** The sentences whose condition is met. */
export function sentencesOf(said: readonly (readonly [isSo: boolean | null, sentence: string])[]): string[] {
  return said.flatMap(([isSo, sentence]) => (isSo === true ? [sentence] : []))
}
