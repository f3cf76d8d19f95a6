// Files of DATA_DIR by which local programs reach the service. Nothing of the service is imported here: a command that only
// asks the running service something must not load the service to do so.
import { readFileSync } from 'node:fs'

/** The key by which the command line and local scripts act as the built-in administrator. */
export const LOCAL_KEY_FILE = 'local-admin.key'
/** Where the running service listens. */
export const ADDRESS_FILE = 'connect.address'
/** By which the running service proves that this folder is its own. */
export const PROOF_FILE = 'connect.proof'
/** Where the running service reaches the providers. */
export const PROVIDERS_FILE = 'connect.providers.json'

/** What stands in such a file; undefined when there is none, or nothing in it. */
export function readTextFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
