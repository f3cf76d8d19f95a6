import { setImmediate as nextTurn } from 'node:timers/promises'
import { isAboutValues } from '../../database/database.ts'
import { asError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { Spool, SpooledText } from './spool.ts'
import { type KeyedDelivery, parseKeyed } from './stored-delivery.ts'

interface DrainParts {
  spool: Spool
  log: Logger
  /** Stores one delivery; those of one batch are stored together. */
  store(delivery: KeyedDelivery): Promise<unknown>
}

/**
 * Brings what waits on disk into the inbox. What the database does not take, or nobody can read, is set aside and holds
 * nothing up; throws when the database is at fault, and then that text and the later ones stay. Gives how many it took.
 */
export async function drainSpool(parts: DrainParts): Promise<number> {
  let taken = 0
  for await (const batch of parts.spool.batches()) {
    const outcomes = await Promise.all(batch.map((each) => drainOne(parts, each)))
    taken += outcomes.filter((outcome) => outcome === 'taken').length
    const failure = outcomes.find((outcome) => outcome instanceof Error)
    if (failure !== undefined) throw failure
    await nextTurn()
  }
  return taken
}

async function drainOne(
  { spool, log, store }: DrainParts,
  { name, text }: SpooledText,
): Promise<'taken' | 'aside' | Error> {
  try {
    const delivery = parseKeyed(text, name)
    if (delivery === undefined) {
      await spool.setAside(name, '.unreadable')
      return 'aside'
    }
    await store(delivery)
    await spool.remove(name)
    return 'taken'
  } catch (thrown) {
    const error = asError(thrown)
    // It says no to this delivery, and will tomorrow.
    if (!isAboutValues(error)) return error
    log.error({ err: error, file: name }, 'the database does not take a delivery that waited on disk; it is set aside')
    await spool.setAside(name, '.refused')
    return 'aside'
  }
}
