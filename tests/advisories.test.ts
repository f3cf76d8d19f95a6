import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'

const SCRIPT = path.join(import.meta.dirname, '../scripts/check-advisories.ts')
const NOBODY = 'http://127.0.0.1:9/'
const LOCKFILE = {
  packages: {
    '': { version: '1.0.0' },
    'node_modules/left': { version: '1.2.3' },
    'node_modules/@a/right/node_modules/left': { version: '2.0.0' },
    'node_modules/alias': { version: '3.0.0', name: '@b/other' },
    'node_modules/linked': { resolved: 'here', link: true },
  },
}

async function check({
  npm = NOBODY,
  osv = NOBODY,
  lastCheck = { begun: '2026-01-02', checkedAt: null, packages: [] },
  note = false,
}: {
  npm?: string
  osv?: string
  lastCheck?: object
  note?: boolean
}): Promise<{ code: number | null; out: string; noted: unknown }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'advisories-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'package-lock.json')
  writeFileSync(file, JSON.stringify(LOCKFILE))
  const last = path.join(folder, 'checked.json')
  writeFileSync(last, JSON.stringify(lastCheck))
  const child = spawn(process.execPath, [SCRIPT, ...(note ? ['--note'] : []), file, npm, osv, last])
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { out: await text(child.stdout), code: await code, noted: JSON.parse(readFileSync(last, 'utf8')) }
}

interface Question {
  request: IncomingMessage
  /** The bytes of the body. */
  bytes: Buffer
}

async function aDatabase(answer: (question: Question) => object): Promise<string> {
  const server = createServer(async (request, response) => {
    response.end(JSON.stringify(answer({ request, bytes: await buffer(request) })))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** An advisory as the registry's endpoint has it. */
const ADVISORY = {
  id: 1_096_000,
  url: 'https://github.com/advisories/GHSA-xxxx-yyyy-zzzz',
  title: 'Pads too far',
  severity: 'high',
  vulnerable_versions: '<1.3.0',
  cwe: ['CWE-400'],
  cvss: { score: 7.5, vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H' },
}

test('the registry is asked as npm asks it; what it knows of an installed version is shown, and fails', async () => {
  let asked: unknown
  const url = await aDatabase(({ request, bytes }) => {
    const { method, headers } = request
    asked = [method, headers['content-type'], headers['content-encoding'], JSON.parse(gunzipSync(bytes).toString())]
    return { left: [ADVISORY] }
  })
  const { code, out } = await check({ npm: url })
  const versions = { left: ['1.2.3', '2.0.0'], '@b/other': ['3.0.0'] }
  expect(asked).toEqual(['POST', 'application/json', 'gzip', versions])
  expect([code, out]).toEqual([
    1,
    expect.stringContaining(`left 1.2.3, 2.0.0: Pads too far (high, <1.3.0) ${ADVISORY.url}`),
  ])
})

test('where the registry cannot be asked, OSV is, page by page', async () => {
  const asked: unknown[] = []
  const url = await aDatabase(({ bytes }) => {
    const { queries } = JSON.parse(bytes.toString()) as { queries: { page_token: string }[] }
    asked.push(queries)
    if (queries.length === 1) return { results: [{ vulns: [{ id: 'GHSA-2', modified: '2026-01-01T00:00:00Z' }] }] }
    return { results: [{}, { vulns: [{ id: 'GHSA-1' }], next_page_token: 'more' }, {}] }
  })
  const { code, out } = await check({ osv: url })
  const query = (name: string, version: string, page = '') => ({
    package: { name, ecosystem: 'npm' },
    version,
    page_token: page,
  })
  expect(asked).toEqual([
    [query('left', '1.2.3'), query('left', '2.0.0'), query('@b/other', '3.0.0')],
    [query('left', '2.0.0', 'more')],
  ])
  expect([code, out]).toEqual([1, expect.stringContaining('left 2.0.0: https://osv.dev/vulnerability/GHSA-1')])
  expect(out).toContain('left 2.0.0: https://osv.dev/vulnerability/GHSA-2')
})

test('says when there is nothing to know', async () => {
  const url = await aDatabase(() => ({}))
  expect(await check({ npm: url })).toMatchObject({ code: 0, out: 'Known vulnerabilities: none in 3 packages.\n' })
})

test('says since when nothing was checked where no database answers', async () => {
  expect(await check({})).toMatchObject({
    code: 0,
    out: 'Known vulnerabilities: NOT CHECKED, no database could be reached. None of the 3 packages was ever checked, since 2026-01-02.\n',
  })
  const lastCheck = {
    begun: '2026-01-02',
    checkedAt: '2026-02-03',
    packages: ['left@1.2.3', '@b/other@3.0.0', 'gone@1.0.0'],
  }
  expect((await check({ lastCheck })).out).toBe(
    'Known vulnerabilities: NOT CHECKED, no database could be reached. Last checked on 2026-02-03; 1 of 3 packages came or changed since.\n',
  )
})

test('notes a check without findings, and only when asked to', async () => {
  const url = await aDatabase(() => ({}))
  expect((await check({ npm: url })).noted).toMatchObject({ checkedAt: null })
  expect((await check({ npm: url, note: true })).noted).toEqual({
    begun: '2026-01-02',
    checkedAt: new Date().toISOString().slice(0, 10),
    packages: ['@b/other@3.0.0', 'left@1.2.3', 'left@2.0.0'],
  })
  const findings = await aDatabase(() => ({ left: [ADVISORY] }))
  expect((await check({ npm: findings, note: true })).noted).toMatchObject({ checkedAt: null })
})
