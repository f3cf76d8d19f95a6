// Whether the suite can be relied on: runs `npm test` so many times in a row, prints the closing line of each, and ends at the
// first that fails, whose output it leaves in a file.
//   node scripts/test-in-a-row.ts [times] [what npm test takes]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const TIMES = 20
const MS_PER_SECOND = 1_000
/** A whole run prints about 1 MB. */
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024

const [times = String(TIMES), ...given] = process.argv.slice(2)
const root = path.dirname(import.meta.dirname)

for (let run = 1; run <= Number(times); run += 1) {
  const startedAt = performance.now()
  const { status, stdout } = spawnSync(process.execPath, ['tests/run.ts', ...given], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const seconds = Math.round((performance.now() - startedAt) / MS_PER_SECOND)
  console.log(
    `${run} of ${times}: ${stdout.trimEnd().split('\n').at(-1)} in ${seconds} s, load ${os.loadavg()[0]?.toFixed(1)}`,
  )
  if (status !== 0) {
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'connect-test-run-')), 'output.txt')
    writeFileSync(file, stdout)
    console.log(`Its output is in ${file}.`)
    process.exit(1)
  }
}
console.log(`${times} runs in a row without a failure.`)
