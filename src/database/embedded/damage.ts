import { asError } from '../../errors.ts'
import { sqlState } from '../database.ts'

/** SQLSTATE classes that speak of files that are not as they were written: internal errors, and those of the system. */
const DAMAGE_CLASSES = new Set(['XX', '58', 'F0'])

/** The data folder is not as the service left it. Nothing in it was changed. */
export class DamagedFolderError extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.name = 'DamagedFolderError'
  }
}

/** Does work with an engine that throws what nobody understands when its files are not whole, and says what that means. */
export async function explainDamage<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (thrown) {
    const error = asError(thrown)
    if (!speaksOfDamage(error)) throw thrown
    const reason = error.message.split('\n', 1)[0]?.replace(/[.\s]+$/, '')
    const sentence = `The database in ${folder} is damaged: the engine says "${reason}". Restore a backup (npx connect restore <folder>).`
    throw new DamagedFolderError(sentence, { cause: error })
  }
}

/** The engine ends with an abort of its own, or says it in SQL. */
function speaksOfDamage(error: Error): boolean {
  const state = sqlState(error)
  if (state !== undefined) return DAMAGE_CLASSES.has(state.slice(0, 2))
  return error.name === 'RuntimeError' || error.name === 'ExitStatus' || error.message.includes('PGlite failed')
}
