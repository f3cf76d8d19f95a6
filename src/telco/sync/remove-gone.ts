import { records } from '../../platform/records/records.ts'
import type { StepContext } from '../../sync/provider.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import type { ListChange } from '../../sync/shrinkage.ts'
import { isShrunk } from '../../sync/shrinkage.ts'
import { sentenceOf } from './errors.ts'
import type { TelcoParts } from './telco-parts.ts'

/** Something that the provider has no more. */
export interface Gone {
  id: number
  name: string
}

/**
 * Removes here what the provider has no more, each with a warning; unless its list is empty or so much shorter that it is
 * more likely to be wrong.
 */
export async function removeGone(
  parts: TelcoParts,
  { progress }: StepContext,
  {
    model,
    what,
    found,
    known,
    gone,
  }: { model: string; what: string; found: number; known: number; gone: readonly Gone[] },
): Promise<void> {
  const change = { found, known, gone: gone.length }
  if (isShrunk(change)) {
    await progress.problem({ model, message: shrunkSentence(what, change) })
    return
  }
  for (const { id, name } of gone) {
    try {
      await inServiceEnv(parts, (env) => records(env, model).unlink([id]))
      parts.platform.log.warn({ model, id, name }, 'the phone provider has a record no more: it was removed here')
      await progress.count('removed')
      const message = 'The phone provider has it no more: it was removed here.'
      await progress.difference({ what: model, id, name, message })
    } catch (error) {
      await progress.problem({ model, id, name, message: `The phone provider has it no more. ${sentenceOf(error)}` })
    }
  }
}

/** What a person reads when nothing was removed. */
export function shrunkSentence(what: string, { found, gone }: ListChange): string {
  return (
    `The phone provider lists ${found} ${what}, and ${gone} of those known here are not among them: ` +
    'none was removed. If they are really gone, remove them here by hand.'
  )
}
