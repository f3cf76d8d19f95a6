import { setImmediate as nextTurn } from 'node:timers/promises'
import { sqlState } from '../../database/database.ts'
import { asError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { Spool, SpooledText } from './spool.ts'
import { type KeyedDelivery, parseKeyed } from './stored-delivery.ts'

/** SQLSTATE classes that speak of the values: their form, their constraints, their size. */
const VALUE_CLASSES = new Set(['21', '22', '23', '54'])

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
    if (!isRefused(error)) return error
    log.error({ err: error, file: name }, 'the database does not take a delivery that waited on disk; it is set aside')
    await spool.setAside(name, '.refused')
    return 'aside'
  }
}

/** Whether the database says no to this delivery, and will tomorrow. */
function isRefused(error: Error): boolean {
  return VALUE_CLASSES.has(sqlState(error)?.slice(0, 2) ?? '')
}
