import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findLocalService } from '../../../src/cli/service/local-service.ts'
import { runCommand } from '../../support/command.ts'
import { Place, ServiceProcess } from '../../support/service-process.ts'

let place: Place

beforeAll(async () => {
  place = await Place.prepared()
})
afterAll(() => place.remove())

/** What other accounts of the machine may do with each part of the folder. */
function openTo(folder: string): string[] {
  const parts = [folder, ...readdirSync(folder).map((name) => path.join(folder, name))]
  return parts.filter((part) => (statSync(part).mode & 0o077) !== 0)
}

test('a data folder that was open to everybody is closed when it is opened, and stays so', async () => {
  mkdirSync(path.join(place.dataDir, 'spool'), { recursive: true, mode: 0o755 })
  writeFileSync(path.join(place.dataDir, 'secret.key'), 'an old key of the tests', { mode: 0o644 })
  for (const part of [place.dataDir, path.join(place.dataDir, 'spool')]) chmodSync(part, 0o755)
  const service = await ServiceProcess.start(place.env)
  expect(openTo(place.dataDir)).toEqual([])
  await service.stop()
})

test('a backup is for nobody else, also in a folder that was there', async () => {
  const folder = `${place.dataDir}-backup`
  mkdirSync(folder, { mode: 0o755 })
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  expect(await runCommand(['backup', folder], place.env)).toMatchObject({ code: 0 })
  expect(existsSync(path.join(folder, 'connect-backup.json'))).toBe(true)
  expect(openTo(folder)).toEqual([])
})

test('the key of the folder is given to its service, and to nobody else who listens at its address', async () => {
  const service = await ServiceProcess.start(place.env)
  const found = await findLocalService({ dataDir: place.dataDir })
  expect(found).toMatchObject({ key: place.localKey })
  // Somebody at the address that was left behind, who passes every question on to the real service.
  const heard: string[] = []
  const impostor = createServer((request, response) => {
    heard.push(JSON.stringify([request.url, request.headers]))
    void fetch(`${found?.address}${request.url}`)
      .then(async (reply) => response.writeHead(reply.status).end(await reply.text()))
      .catch(() => response.writeHead(502).end())
  })
  await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void impostor.close())
  const { port } = impostor.address() as AddressInfo
  const addressFile = path.join(place.dataDir, 'connect.address')
  writeFileSync(addressFile, `http://127.0.0.1:${port}\n`)
  expect(await findLocalService({ dataDir: place.dataDir })).toBeUndefined()
  expect(heard).toHaveLength(1)
  expect(heard.join()).not.toContain(place.localKey)
  writeFileSync(addressFile, `${found?.address}\n`)
  await service.stop()
})
