// What an account is told of a data folder that is somebody else's. Root may do everything, so these run as another one.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { whyNotOurs } from '../src/account.ts'
import { requireOwnFolder } from '../src/cli/service/own-folder.ts'

const isRoot = userInfo().uid === 0
/** The account `nobody` of every Linux. */
const NOBODY = 65_534

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'connect-account-'))
  mkdirSync(path.join(folder, 'database', 'base'), { recursive: true })
  writeFileSync(path.join(folder, 'database', 'base', '1'), '')
})
afterEach(() => rmSync(folder, { recursive: true }))

it('a folder that is one’s own is not complained of, whatever else is in it or missing', () => {
  expect(whyNotOurs(folder, ['database', 'connect.lock'])).toBeUndefined()
})

it('the first file of root in the folder of another account is named, with both cures', ({ skip }) => {
  skip(!isRoot, 'only root can become another account')
  for (const name of ['.', 'database', 'database/base', 'database/base/1']) chmodSync(path.join(folder, name), 0o777)
  skip(whyAsNobody() !== 'nothing', 'no other account reaches the folder for temporary files')
  for (const name of ['.', 'database', 'database/base']) {
    chownSync(path.join(folder, name), NOBODY, NOBODY)
    chmodSync(path.join(folder, name), 0o700)
  }
  chmodSync(path.join(folder, 'database/base/1'), 0o600)
  const asked = whyAsNobody()
  expect(asked).toContain(
    `may not read and write ${path.join(folder, 'database/base/1')}. Use the account that it belongs to`,
  )
  expect(asked).toContain(`: chown -R `)
  chownSync(path.join(folder, 'database/base/1'), NOBODY, NOBODY)
  expect(whyAsNobody()).toBe('nothing')
  chownSync(folder, 0, 0)
  expect(whyAsNobody()).toContain(`may not read and write ${folder}. `)
})

/** A process of its own, which gives up being root once it has read the code. */
function whyAsNobody(): string {
  const code = `import { whyNotOurs } from ${JSON.stringify(path.resolve('src/account.ts'))}
    process.setuid(${NOBODY})
    process.stdout.write(whyNotOurs(${JSON.stringify(folder)}, ['database']) ?? 'nothing')`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  return stdout || stderr
}

it('root works in no folder of another account, which could put a link where root writes next', ({ skip }) => {
  skip(process.getuid === undefined, 'there are no accounts here')
  expect(() => requireOwnFolder(path.join(folder, 'missing'), 0)).not.toThrow()
  if (isRoot) {
    expect(() => requireOwnFolder(folder)).not.toThrow()
    chownSync(folder, NOBODY, NOBODY)
  }
  expect(() => requireOwnFolder(folder, 0)).toThrow('which belongs to another account: run this as that account')
  expect(() => requireOwnFolder(folder, NOBODY)).not.toThrow()
})
