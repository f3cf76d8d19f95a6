import { Refusal } from '../../errors.ts'
import { sentenceOf } from './errors.ts'

/** Does what a person waits for: whatever the provider does wrong is a sentence for them. */
export async function forPerson<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('unavailable', sentenceOf(error), { cause: error })
  }
}
