import { lstatSync } from 'node:fs'
import { ServiceRefusal } from '../../app/own-api/connection.ts'

const ROOT = 0

/**
 * Throws a refusal when root is to read and write a folder that another account owns. That account can put a link where root
 * writes or reads next, and so have it write, remove or copy anything; and files of root would stop its service.
 */
export function requireOwnFolder(folder: string, uid: number | undefined = process.getuid?.()): void {
  if (uid !== ROOT) return
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined || found.uid === ROOT) return
  const sentence = `Root does not work in ${folder}, which belongs to another account: run this as that account, with runuser.`
  throw new ServiceRefusal(403, sentence)
}
