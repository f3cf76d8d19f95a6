// The recipe of the page for a signed request of the phone provider is run as it stands.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AUTH_TOKEN, PUBLIC_URL, setUpTelco } from '../../support/telco.ts'
import { TestApp } from '../../support/test-app.ts'

const PAGE = path.join(import.meta.dirname, '../../../docs/webhooks.md')
/** A shell and two programs, on a busy machine. */
const SHELL_MS = 60_000
const missing = ['curl', 'openssl'].find((name) => spawnSync(name, ['version']).error !== undefined)

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
  await setUpTelco(app)
})
afterAll(() => app.stop())

test(
  'a request that is signed as the page says is answered with a call, and with another token with False',
  async ({ skip }) => {
    skip(missing !== undefined, `${missing} is not installed`)
    const [recipe = ''] = /(?<=```sh\n)TOKEN=\d+ .*?(?=```)/s.exec(readFileSync(PAGE, 'utf8')) ?? []
    const here = recipe
      .replace('https://connect.example.com', PUBLIC_URL)
      .replace(/\$\{URL:-[^}]*\}/, app.url)
      .replace(/(?<=TOKEN=)\d+/, AUTH_TOKEN)
    expect(await run(here)).toMatch(/^\d+$/)
    expect(await run(here.replace(AUTH_TOKEN, 'another'))).toBe('False')
    expect(await run(here.replace('ADDRESS=https:', 'ADDRESS=http:'))).toBe('False')
  },
  SHELL_MS,
)

async function run(script: string): Promise<string> {
  const shell = spawn('sh', ['-eu', '-c', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
  })
  await once(shell, 'close')
  return out
}
