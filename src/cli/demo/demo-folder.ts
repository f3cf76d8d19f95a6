import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ServiceRefusal } from '../service/connection.ts'

/** Says that everything in a folder was made by a demo, so that the next one may throw it away. */
const MARK = 'connect-demo'
const MARK_TEXT = 'Made by `connect demo`. The next demo empties this folder.\n'

/** The folder of the demo, empty unless what the last one left is kept. Never touches what no demo has made. */
export function prepareFolder(folder: string, { isKept }: { isKept: boolean }): void {
  const mark = path.join(folder, MARK)
  const names = existsSync(folder) ? readdirSync(folder) : []
  if (names.length > 0 && !existsSync(mark)) {
    throw new ServiceRefusal(409, `${folder} holds something that no demo has made: choose another --folder.`)
  }
  if (!isKept) for (const name of names) rmSync(path.join(folder, name), { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(mark, MARK_TEXT)
}
