import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'

const NOT_ALLOWED: readonly unknown[] = ['EACCES', 'EPERM']
const { R_OK, W_OK, X_OK } = constants

/** Whether the system refused something for want of rights. */
export function isNotAllowed(error: NodeJS.ErrnoException): boolean {
  return NOT_ALLOWED.includes(error.code)
}

/** Under which name this process runs; a container may run under a number that has none. */
export function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'of this process')
  }
}

/**
 * Why this account cannot work in a data folder, and what to do: the first place that belongs to somebody else, of the folder
 * itself and of all that is below the named parts, as when root has once run a command on it. Undefined when there is none.
 */
export function whyNotOurs(folder: string, parts: readonly string[] = []): string | undefined {
  const closed = isClosed(folder) ? folder : parts.map((name) => findClosed(path.join(folder, name))).find(Boolean)
  if (closed === undefined) return undefined
  const account = accountName()
  return (
    `the account ${account} may not read and write ${closed}. ` +
    `Use the account that it belongs to, or give the folder to this one: chown -R ${account} ${folder}`
  )
}

function findClosed(place: string): string | undefined {
  if (!existsSync(place)) return undefined
  if (isClosed(place)) return place
  if (!statSync(place).isDirectory()) return undefined
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(place, name))
    .find(isClosed)
}

function isClosed(place: string): boolean {
  try {
    accessSync(place, statSync(place).isDirectory() ? R_OK | W_OK | X_OK : R_OK | W_OK)
    return false
  } catch (error) {
    // What has gone meanwhile is in nobody's way.
    return isNotAllowed(error as NodeJS.ErrnoException)
  }
}
