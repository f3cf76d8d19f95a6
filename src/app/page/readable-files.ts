import { accessSync, chmodSync, constants, readdirSync } from 'node:fs'
import path from 'node:path'
import { accountName, isNotAllowed } from '../../account.ts'

const FOLDER_MODE = 0o755
const FILE_MODE = 0o644

/**
 * Lets every account of the machine read a folder that holds nothing secret: anyone who builds the page need not be the account
 * that serves it, and the service makes files for itself alone.
 */
export function makeReadable(folder: string): void {
  chmodSync(folder, FOLDER_MODE)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(path.join(entry.parentPath, entry.name), entry.isDirectory() ? FOLDER_MODE : FILE_MODE)
  }
}

/** Throws what the system says, with the path, when this account may not read one of the places. */
export function requireReadable(places: readonly string[]): void {
  for (const place of places) accessSync(place, constants.R_OK)
}

/** Whether this account may put something into a folder. */
export function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** What a refusal of the system means here: the path, the account, and what to do; undefined for any other error. */
export function whyNotAllowed(error: NodeJS.ErrnoException, cure: string): string | undefined {
  if (!isNotAllowed(error) || error.path === undefined) return undefined
  return `The account ${accountName()} may not read ${error.path}: ${cure}`
}
