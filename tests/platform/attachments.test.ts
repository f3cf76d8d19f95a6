// Files on notes: who may send them, who may have them, what they may do in a browser, and that they go.
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { removeMedia } from '../../src/ledger/recordings/media-removal.ts'
import { whyNotStored } from '../../src/platform/attachments/receive-file.ts'
import { MediaStore } from '../../src/platform/media/media-store.ts'
import { cleanUp } from '../../src/platform/records/clean-up.ts'
import type { RefusalCode } from '../../src/refusals.ts'
import { expectRefused } from '../support/refusals.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const BYTES = 'application/octet-stream'

interface Sent {
  id: number
  name: string
  type: string
  bytes: number
  url: string
}

let app: TestApp
let anna: Caller
let helper: Caller
let contact: number
let ticket: number

beforeAll(async () => {
  app = await TestApp.start()
  anna = await app.person(['connect.group_user'])
  helper = await app.person(['helpdesk.group_user'])
  contact = await app.admin.ask('res.partner', 'create', { vals_list: { name: 'Zoe Meier' } })
  ticket = await helper.ask('helpdesk.ticket', 'create', { vals_list: { name: 'Boiler' } })
})
afterAll(() => app.stop())

const send = (caller: Caller, body: Buffer, { name = 'a.png', type = BYTES } = {}) =>
  app.request(`/api/attachment?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { authorization: `bearer ${caller.key}`, 'content-type': type },
    body,
  })
const sent = async (caller: Caller, body: Buffer, name?: string): Promise<Sent> => {
  const answer = await send(caller, body, name === undefined ? {} : { name })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as Sent
}
const open = (caller: Caller, url: string, headers: Record<string, string> = {}) =>
  app.request(url, { headers: { authorization: `bearer ${caller.key}`, ...headers } })
const files = () =>
  readdirSync(app.config.mediaDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))

describe('a file on a note', () => {
  it('a file is sent, posted, listed and opened by everybody who may read the record', async () => {
    const file = await sent(anna, PNG, 'offer.png')
    expect(file).toMatchObject({ name: 'offer.png', type: 'image/png', bytes: PNG.length })
    expect((await open(anna, file.url)).status).toBe(200)
    expect((await open(helper, file.url)).status).toBe(404)
    await anna.ask('res.partner', 'message_post', { ids: [contact], body: 'The offer', attachment_ids: [file.id] })
    const [post] = await app.admin.ask<{ attachments: Sent[] }[]>('res.partner', 'message_list', { ids: [contact] })
    expect(post?.attachments).toEqual([file])
    const answer = await open(app.admin, file.url)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('content-disposition')).toBe('inline; filename=offer.png')
    const part = await open(app.admin, file.url, { range: 'bytes=0-3' })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 0-3/${PNG.length}`])
  })

  it('a file may be all that a note has, and a note has something', async () => {
    const file = await sent(anna, PNG)
    await anna.ask('res.partner', 'message_post', { ids: [contact], attachment_ids: [file.id] })
    const nothing = await anna.call('res.partner', 'message_post', { ids: [contact] })
    expect(nothing).toMatchObject({ status: 422, text: expect.stringContaining('a message has a text, or a file.') })
  })

  it('a file is nobody’s who may not read the record', async () => {
    const file = await sent(helper, PNG)
    await helper.ask('helpdesk.ticket', 'message_post', { ids: [ticket], body: 'x', attachment_ids: [file.id] })
    expect((await open(helper, file.url)).status).toBe(200)
    const [hidden, missing] = [await open(anna, file.url), await open(anna, '/connect/attachment/999999999')]
    expect([hidden.status, missing.status]).toEqual([404, 404])
    expect((hidden.body as { message: string }).message).toBe((missing.body as { message: string }).message)
    expect((await app.request(file.url)).status).toBe(401)
  })

  it.each(['abc', '0', '-1', '1.5', '1e3', '99999999999999999999'])(
    'a file with the id %s is not there',
    async (id) => {
      const answer = await open(anna, `/connect/attachment/${id}`)
      expect(answer).toMatchObject({ status: 404, body: { message: expect.stringContaining('does not exist') } })
    },
  )

  it('a file is put on a note by its sender only, and once', async () => {
    const file = await sent(anna, PNG)
    const post = { ids: [contact], body: 'x', attachment_ids: [file.id] }
    expect((await app.admin.call('res.partner', 'message_post', post)).status).toBe(422)
    const before = await app.count('mail_message')
    await anna.ask('res.partner', 'message_post', post)
    expect((await anna.call('res.partner', 'message_post', post)).status).toBe(422)
    expect(await app.count('mail_message')).toBe(before + 1)
  })

  it('a file goes with its note, bytes and all', async () => {
    const file = await sent(anna, Buffer.from('gone with its note'), 'a.txt')
    const ids = [contact]
    const message = await anna.ask('res.partner', 'message_post', {
      ids,
      body: 'x',
      subtype: 'note',
      attachment_ids: [file.id],
    })
    const stored = await app.db.query<{ media_ref: string }>(
      sql`select media_ref from connect_attachment where id = ${file.id}::bigint`,
    )
    const reference = stored[0]?.media_ref ?? ''
    const isThere = () => files().some((each) => each.endsWith(reference))
    expect(isThere()).toBe(true)
    await anna.ask('res.partner', 'message_delete', { ids, message })
    await removeMedia(app.db, new MediaStore(app.config.mediaDir))
    expect(isThere()).toBe(false)
    expect((await open(anna, file.url)).status).toBe(404)
  })

  it('a file goes after a day when it is on no note', async () => {
    const [old, fresh] = [await sent(anna, PNG), await sent(anna, PNG)]
    await app.db.query(
      sql`update connect_attachment set create_date = create_date - interval '25 hours' where id = ${old.id}::bigint`,
    )
    await cleanUp(app.db, app.app.platform)
    expect((await open(anna, old.url)).status).toBe(404)
    expect((await open(anna, fresh.url)).status).toBe(200)
  })
})

describe('a file that is not what it says', () => {
  it('a file is what its bytes are, and one that may hold a script is only downloaded', async () => {
    const page = await sent(anna, Buffer.from('<html><script>alert(1)</script></html>'), 'picture.png')
    const drawing = await sent(
      anna,
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
      'a.svg',
    )
    for (const { url } of [page, drawing]) {
      const { headers } = await open(anna, url)
      expect(headers.get('content-type')).toBe(BYTES)
      expect(headers.get('content-disposition')).toMatch(/^attachment;/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    }
  })

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\zoe\\Offerte.pdf', 'Offerte.pdf'],
    ['in\r\nvoice"; filename=x.exe', 'invoice"; filename=x.exe'],
    ['\u202Egpj.exe', 'gpj.exe'],
    ['..', 'file'],
    ['', 'file'],
    [`${'ä'.repeat(300)}.pdf`, `${'ä'.repeat(251)}.pdf`],
  ])('a file that is called %j is kept as %j', async (given, kept) => {
    const file = await sent(anna, PNG, given)
    expect(file.name).toBe(kept)
    const header = (await open(anna, file.url)).headers.get('content-disposition') ?? ''
    expect(header).toMatch(/^inline; /)
    expect(header).not.toMatch(/[\r\n]/)
  })
})

it('a file that is called without an ending is downloaded with the one of its type', async () => {
  const file = await sent(anna, PNG, 'photo of today')
  expect(file.name).toBe('photo of today')
  const { headers } = await open(anna, file.url)
  expect(headers.get('content-disposition')).toBe('inline; filename="photo of today.png"')
})

describe('anyone who sends a file', () => {
  it('anyone who sends a file signs in first, and works here', async () => {
    const anonymous = await app.request('/api/attachment?name=a', {
      method: 'POST',
      headers: { 'content-type': BYTES },
      body: PNG,
    })
    expect(anonymous.status).toBe(401)
    expect((await send(await app.webhookUser(), PNG)).status).toBe(403)
  })

  it('a file is bytes, at least one and at most 25 MB', async () => {
    const before = files().length
    expect((await send(anna, PNG, { type: 'text/plain' })).status).toBe(415)
    const empty = await send(anna, Buffer.alloc(0))
    expect(empty).toMatchObject({ status: 422, text: expect.stringContaining('The file is empty.') })
    const large = await send(anna, Buffer.alloc(25 * 1024 * 1024 + 1))
    expectRefused(large, ['file-too-large', 413, 'Files can have up to 25 MB.'])
    expect(files().length).toBe(before)
    expect((await sent(anna, Buffer.alloc(25 * 1024 * 1024), 'largest')).bytes).toBe(25 * 1024 * 1024)
  })

  it('a full disk takes no files, and says so', () => {
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    expect(whyNotStored(full)).toMatchObject({ code: 'files-no-room', status: 503 })
  })

  it('nobody fills the disk with files that are on no note', async () => {
    const eager = await app.person(['connect.group_user'])
    await app.db.query(sql`insert into connect_attachment (name, type, bytes, media_ref, create_uid)
      select 'x', 'x', 1, 'ff/' || md5(i::text) || '.bin', ${eager.userId}::bigint from generate_series(1, 100) i`)
    const refused = await send(eager, PNG)
    expectRefused(refused, [
      'attachments-pending',
      429,
      'You have sent many files that are not on a note yet. Post a note with them, or wait a day.',
    ])
  })

  it('anyone who sends 300 files at the same time has exactly as many taken as one person may have', async () => {
    const eager = await app.person(['connect.group_user'])
    const answers = await Promise.all(Array.from({ length: 300 }, () => send(eager, PNG)))
    const counts = Map.groupBy(answers, ({ status }) => status)
    expect([counts.get(200)?.length, counts.get(429)?.length]).toEqual([100, 200])
    const [kept] = await app.db.query<{ files: number; bytes: number }>(
      sql`select count(*)::int as files, sum(bytes)::int as bytes from connect_attachment where create_uid = ${eager.userId}::bigint`,
    )
    expect(kept).toEqual({ files: 100, bytes: 100 * PNG.length })
  })

  it('what was kept for a file is given back when the file does not come, or is none', async () => {
    const unlucky = await app.person(['connect.group_user'])
    const left = () => app.db.query(sql`select id from connect_attachment where create_uid = ${unlucky.userId}::bigint`)
    expect((await send(unlucky, Buffer.alloc(0))).status).toBe(422)
    expect((await send(unlucky, PNG, { type: 'text/plain' })).status).toBe(415)
    await expect.poll(left).toEqual([])
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.write(
      `POST /api/attachment?name=a HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: bearer ${unlucky.key}\r\n` +
        `content-type: ${BYTES}\r\ncontent-length: ${250 * 1024}\r\n\r\nhalf of it`,
    )
    await expect.poll(left).toHaveLength(1)
    const [{ id } = { id: 0 }] = (await left()) as { id: number }[]
    const post = { ids: [contact], body: 'x', attachment_ids: [id] }
    expect((await unlucky.call('res.partner', 'message_post', post)).status).toBe(422)
    socket.destroy()
    await expect.poll(left).toEqual([])
  })

  it('a file that nobody waits for any more leaves no bytes, and its sender is told', async () => {
    const late = await app.person(['connect.group_user'])
    const stored = files().length
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.write(
      `POST /api/attachment?name=a HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: bearer ${late.key}\r\n` +
        `content-type: ${BYTES}\r\ncontent-length: 8\r\n\r\nhalf`,
    )
    const dropped = () =>
      app.db.query(sql`delete from connect_attachment where create_uid = ${late.userId}::bigint returning id`)
    await expect.poll(dropped).toHaveLength(1)
    socket.write('rest')
    await expect.poll(() => answer).toContain('Send it again')
    expect(answer).toMatch(/^HTTP\/1.1 409 /)
    expect(answer).toContain(`"code":"${'file-late' satisfies RefusalCode}"`)
    expect(files()).toHaveLength(stored)
    socket.destroy()
  })

  it('a file that the disk has no room for is refused before it is sent, and those on their way count', () => {
    const media = new MediaStore(app.config.mediaDir)
    const half = Math.floor((media.room.freeBytes - media.room.bytesMin) * 0.6)
    const giveBack = media.expect(half)
    expect(() => media.expect(half)).toThrow(/MB free/)
    giveBack()
    media.expect(half)()
  })

  it('another page cannot have a browser send a file', async () => {
    const headers = { cookie: 'connect_session=x', 'content-type': BYTES, 'sec-fetch-site': 'cross-site' }
    const answer = await app.request('/api/attachment?name=a', { method: 'POST', headers, body: PNG })
    expect(answer.status).toBe(403)
  })
})
