// `npm run record-behaviour -- --out <file> [--postgres] [--part <name>]`: plays everything that there is against the service
// and writes down what it answered, what it asked of the providers, and what its rows are. The same commit gives the same
// file each time; `npm run compare-behaviour -- <old> <new>` says in what two differ.
import './steady.ts'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { coverageOf } from './coverage.ts'
import { recordAll } from './record-all.ts'

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    part: { type: 'string', multiple: true },
  },
})
if (values.out === undefined) throw new Error('say where to write: --out <file>')
const startedAt = performance.now()
const folder = mkdtempSync(path.join(os.tmpdir(), 'connect-behaviour-'))
try {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
  const recording = await recordAll({ folder, commit, isOnPostgres: values.postgres, parts: values.part })
  writeFileSync(values.out, `${JSON.stringify(recording, null, 1)}\n`)
  process.stdout.write(`${coverageOf(recording).join('\n')}\n`)
  process.stdout.write(`recorded in ${((performance.now() - startedAt) / 1000).toFixed(0)} s: ${values.out}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}
// Connections that are still open for reuse hold nobody up.
process.exit()
