// `bin/connect` as cron and people start it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'

const ROOT = path.join(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string }
const START_MS = 60_000

it(
  'the command line starts where nobody has put a Node into PATH, as in the jobs of cron',
  () => {
    const bin = mkdtempSync(path.join(tmpdir(), 'connect-path-'))
    try {
      for (const name of ['dirname', 'readlink', 'date']) {
        const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
        symlinkSync(stdout.trim(), path.join(bin, name))
      }
      const ran = spawnSync('/bin/sh', [path.join(ROOT, 'bin/connect'), '--version'], {
        cwd: '/',
        encoding: 'utf8',
        env: { PATH: bin },
        timeout: START_MS,
      })
      expect([ran.status, ran.stdout, ran.stderr]).toEqual([0, `${version}\n`, ''])
    } finally {
      rmSync(bin, { recursive: true })
    }
  },
  START_MS,
)
