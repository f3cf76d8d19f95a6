import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { makeReadable, requireReadable, whyNotAllowed } from '../../src/app/page/readable-files.ts'

it('what was made for one account alone is made readable for all, whatever is in it', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'connect-readable-'))
  try {
    const assets = path.join(folder, 'assets')
    const script = path.join(assets, 'app.js')
    mkdirSync(assets, { mode: 0o700 })
    writeFileSync(script, '', { mode: 0o600 })
    makeReadable(folder)
    expect([folder, assets, script].map((place) => statSync(place).mode & 0o777)).toEqual([0o755, 0o755, 0o644])
    requireReadable([assets, script])
    expect(() => requireReadable([path.join(folder, 'none')])).toThrow('none')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('a path that may not be read is named with the account and what to do; any other error is not taken for that', () => {
  const refused = Object.assign(new Error('EACCES: permission denied'), {
    code: 'EACCES',
    path: '/opt/connect/web/dist',
  })
  expect(whyNotAllowed(refused, 'run npm run build')).toBe(
    `The account ${userInfo().username} may not read /opt/connect/web/dist: run npm run build`,
  )
  expect(whyNotAllowed(Object.assign(new Error(), { code: 'ENOENT', path: '/x' }), '')).toBeUndefined()
})
