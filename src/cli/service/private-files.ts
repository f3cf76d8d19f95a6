import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** Nobody else on the machine reads what this process makes, whatever the account was told. */
const OTHERS = 0o077
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const PERMISSION_BITS = 0o777

/** From here on every file and folder that this process makes is its account's own. */
export function makeFilesPrivate(): void {
  process.umask(OTHERS)
}

/**
 * Takes a folder, and what is directly in it, away from everybody else, also when it was made before or by somebody else
 * with more open rights: a container image, an earlier version, `cp -r`. Gives what is not ours to change, such as a volume
 * of another owner; the names of what stayed open.
 */
export function closeFolder(folder: string): string[] {
  const inside = readdirSync(folder).map((name) => path.join(folder, name))
  return [folder, ...inside].filter((place) => !close(place))
}

function close(place: string): boolean {
  try {
    const found = lstatSync(place)
    if (!found.isDirectory() && !found.isFile()) return true
    const mode = found.isDirectory() ? FOLDER_MODE : FILE_MODE
    if ((found.mode & PERMISSION_BITS & OTHERS) !== 0) chmodSync(place, mode)
    return true
  } catch (error) {
    // Another process may have taken it away meanwhile.
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}
