import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { receiveFile } from '../../src/platform/attachments/receive-file.ts'
import { MediaStore } from '../../src/platform/media/media-store.ts'

let folder = ''
let media: MediaStore
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'connect-media-'))
  media = new MediaStore(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const files = () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())

// An error that nobody listens for ends the process: the run of the tests then fails as a whole.
it('a sender who goes away before the file is opened costs nobody else anything', async () => {
  const source = new PassThrough()
  const received = receiveFile(media, source)
  source.destroy(new Error('aborted'))
  await expect(received).rejects.toThrow('aborted')
  expect(files()).toEqual([])
})

it('audio whose sender goes away before the file is opened costs nobody else anything', async () => {
  const source = new PassThrough()
  const stored = media.store(source, 'mp3')
  source.destroy(new Error('aborted'))
  await expect(stored).rejects.toThrow('aborted')
  expect(files()).toEqual([])
})
