import { cp } from 'node:fs/promises'
import { inject } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { openEmbedded } from '../../src/database/embedded.ts'

/** An embedded database with what the service comes with, whose data folder `folder` becomes. Embedded runs only. */
export async function openEmbeddedCopy(folder: string): Promise<Database> {
  await cp(inject('template'), folder, { recursive: true, force: true })
  return openEmbedded(folder)
}
