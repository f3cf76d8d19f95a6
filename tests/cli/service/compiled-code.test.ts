import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

const ROOT = path.join(import.meta.dirname, '../../..')
const CACHE = path.join(ROOT, 'node_modules/.cache/node')

/** Where a process keeps what it compiles, given what the configuration names as its database. */
function keepsIn(databaseUrl: string | undefined): string {
  const code = `import { getCompileCacheDir } from 'node:module'
    import { keepCompiledCode } from './src/cli/service/compiled-code.ts'
    keepCompiledCode(${JSON.stringify({ databaseUrl })})
    console.log(getCompileCacheDir() ?? 'nowhere')`
  const { NODE_COMPILE_CACHE: _none, ...env } = process.env
  return execFileSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  }).trim()
}

test('a service keeps its compiled code beside the embedded database, and saves the memory on a server', () => {
  expect(keepsIn(undefined).startsWith(CACHE)).toBe(true)
  expect(keepsIn('postgres://localhost/connect')).toBe('nowhere')
})
