import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

const SCRIPT = path.join(import.meta.dirname, '../bin/check-advisories.ts')
const NOBODY = 'http://127.0.0.1:9/'
const LOCKFILE = {
  packages: {
    '': { version: '1.0.0' },
    'node_modules/left': { version: '1.2.3' },
    'node_modules/@a/right/node_modules/left': { version: '2.0.0' },
  },
}

async function check({
  npm = NOBODY,
  osv = NOBODY,
}: {
  npm?: string
  osv?: string
}): Promise<{ code: number | null; out: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'advisories-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'package-lock.json')
  writeFileSync(file, JSON.stringify(LOCKFILE))
  const child = spawn(process.execPath, [SCRIPT, file, npm, osv])
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { out: await text(child.stdout), code: await code }
}

async function aDatabase(answer: (body: unknown) => object): Promise<string> {
  const server = createServer(async (request, response) => {
    response.end(JSON.stringify(answer(JSON.parse(await text(request)))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('what the registry knows of an installed version is shown, and fails', async () => {
  const url = await aDatabase((body) => {
    expect(body).toEqual({ left: ['1.2.3', '2.0.0'] })
    return { left: [{ title: 'Pads too far', severity: 'high', url: 'https://example.com/1' }] }
  })
  const { code, out } = await check({ npm: url })
  expect([code, out]).toEqual([
    1,
    expect.stringContaining('left 1.2.3, 2.0.0: Pads too far (high) https://example.com/1'),
  ])
})

test('where the registry cannot be asked, OSV is', async () => {
  const url = await aDatabase(() => ({ results: [{}, { vulns: [{ id: 'GHSA-1' }] }] }))
  const { code, out } = await check({ osv: url })
  expect([code, out]).toEqual([1, expect.stringContaining('left 2.0.0: https://osv.dev/vulnerability/GHSA-1')])
})

test('says when there is nothing, and when nobody could be asked', async () => {
  const url = await aDatabase(() => ({}))
  expect(await check({ npm: url })).toEqual({
    code: 0,
    out: 'Known vulnerabilities: none in 2 packages.\n',
  })
  expect(await check({})).toEqual({
    code: 0,
    out: 'Known vulnerabilities: NOT CHECKED, no database could be reached (2 packages).\n',
  })
})
