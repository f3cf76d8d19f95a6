import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { inject } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { openEmbedded } from '../../src/database/embedded/embedded.ts'

/** A machine that is busy with tests fails nothing: no statement is stopped, and everybody waits for their turn. */
const PATIENT = {
  waitMs: 100_000,
  apiWaitMs: 100_000,
  apiMs: 100_000,
  apiAllMs: 100_000,
  statementMs: 100_000,
  scriptMs: 100_000,
}

/**
 * An embedded database whose data folder `folder` becomes: with what the service comes with, or an empty one when the run
 * is one on a server, which has prepared none.
 */
export async function openEmbeddedCopy(folder: string): Promise<Database> {
  const template = inject('template')
  if (existsSync(template)) await cp(template, folder, { recursive: true, force: true })
  return openEmbedded(folder, PATIENT)
}
