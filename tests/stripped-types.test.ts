import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const HELPER = path.join(import.meta.dirname, '../bin/stripped-types.mjs')
let folder = ''

beforeEach(() => {
  // A name that an address would write otherwise.
  folder = mkdtempSync(path.join(tmpdir(), 'stripped types %41-'))
  for (const part of ['bin', 'src']) mkdirSync(path.join(folder, part))
  cpSync(HELPER, path.join(folder, 'bin/stripped-types.mjs'))
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(path.join(folder, 'src/part.ts'), 'export const part: string = "part"\n')
  put('console.log(part)')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('TypeScript runs without its types, and what was stripped is kept', () => {
  expect(start()).toEqual({ said: 'part\n', complaints: '' })
  expect(readFileSync(kept('main.ts'), 'utf8')).not.toContain('interface')
  expect(existsSync(kept('part.ts'))).toBe(true)
})

test('TypeScript that has changed is never run as it was kept', () => {
  start()
  put('console.log(part, "again")')
  expect(start()).toEqual({ said: 'part again\n', complaints: '' })
  writeFileSync(kept('main.ts'), 'console.log("half of i')
  expect(start()).toEqual({ said: 'part again\n', complaints: '' })
})

test('an error in stripped TypeScript names the file and the line that was written', () => {
  put('throw new Error(part)')
  start()
  expect(start().complaints).toMatch(/src\/main\.ts:3:7/)
})

test('TypeScript runs where what was stripped cannot be kept, and says nothing of it', () => {
  writeFileSync(path.join(folder, 'node_modules'), 'a file where a folder is wanted')
  expect(start()).toEqual({ said: 'part\n', complaints: '' })
})

/** The whole of `main.ts`: what is given stands in its third line. */
function put(line: string): void {
  writeFileSync(
    path.join(folder, 'src/main.ts'),
    `import { part } from './part.ts'\ninterface Gone { is: true }\n${line}\n`,
  )
}

function kept(file: string): string {
  return path.join(folder, 'node_modules/.cache/stripped/src', file)
}

function start(): { said: string; complaints: string } {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--require', path.join(folder, 'bin/stripped-types.mjs'), path.join(folder, 'src/main.ts')],
    { encoding: 'utf8' },
  )
  return { said: stdout, complaints: stderr }
}
