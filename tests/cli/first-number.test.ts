// The page for newcomers is run as it stands: what it promises is what its own commands print.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sentence } from '../../src/telco/sentences/sentence.ts'
import { Place, ServiceProcess } from '../support/service-process.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const hasCurl = spawnSync('curl', ['--version']).status === 0

let place: Place
let service: ServiceProcess

beforeAll(async () => {
  place = await Place.prepared()
  service = await ServiceProcess.start(place.env)
})
afterAll(async () => {
  await service.stop()
  await place.remove()
})

test('leads from an empty installation to a number, and to what its callers hear', async ({ skip }) => {
  skip(!hasCurl, 'curl is not installed')
  const { code, out, err } = await runPage('docs/first-number.md')
  expect([code, err]).toEqual([0, ''])
  for (const made of ['res.partner', 'connect.user', 'connect.telco.callflow', 'connect.telco.number'])
    expect(out).toMatch(new RegExp(`^${made}/create \\d+$`, 'm'))
  const [onSunday = '', unanswered = '', toAnn = ''] = out.split(/^\+\d+ calls \+41445550100 on /m).slice(1)
  expect(onSunday).toMatch(/^Sunday, .* at 10:00 Zurich time\.\n/)
  expect(stepsOf(onSunday)).toEqual(['hears Acme is closed. We are here Monday to Friday from 8 to 18.', 'ends'])
  expect(unanswered).toMatch(/^Monday, /)
  expect(stepsOf(unanswered)).toEqual([
    'hears Welcome to Acme. Press 1 to speak to Ann, or wait to leave a message.',
    'waits',
    `hears ${sentence('leaveMessage')}`,
    'leaves a message',
    'ends',
  ])
  expect(stepsOf(toAnn)).toEqual([
    'hears Welcome to Acme. Press 1 to speak to Ann, or wait to leave a message.',
    'presses',
    'phone',
    `hears ${sentence('userIsAway').replace('{{user.name}}', 'Ann Keller')}`,
    'leaves a message',
    'ends',
  ])
  expect(out.match(/No phone rang, no provider was asked, and nothing was written\./g)).toHaveLength(3)
})

/** What happened; of what is heard, also the words. */
function stepsOf(printed: string): string[] {
  const lines = printed.split('\n').slice(3)
  return lines.flatMap((line) => {
    const [, what = '', detail = ''] = /^(\w+(?: a message)?) {2,}(.*)$/.exec(line) ?? []
    if (what === '') return []
    return what === 'hears' ? `hears ${detail.split(' · ', 1)[0]}` : what
  })
}

/** Runs every shell block of the page, one after the other, in one shell that ends at the first failure. */
async function runPage(page: string): Promise<{ code: number | null; out: string; err: string }> {
  const text = readFileSync(path.join(ROOT, page), 'utf8')
  const script = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block).join('\n')
  const { PATH = '', HOME = '' } = process.env
  const env = { ...place.env, PATH, HOME, URL: service.url }
  const shell = spawn('sh', ['-eu', '-c', script], { cwd: ROOT, env })
  let [out, err] = ['', '']
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
  })
  shell.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk
  })
  await once(shell, 'close')
  return { code: shell.exitCode, out, err }
}
