// Every route that gives a file to people: its name and ending fit its type, and nothing says where a provider keeps it.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { MediaStore } from '../../src/platform/media/media-store.ts'
import { FakeTelco } from '../support/fake-telco.ts'
import { insertRow } from '../support/rows.ts'
import { ACCOUNT_SID, setUpTelco } from '../support/telco.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const PDF = Buffer.from('%PDF-1.4\n%%EOF\n')
const BYTES = 'application/octet-stream'
const CALLER = '+14155550131'
const MEDIA = `https://api.twilio.com/2010-04-01/Accounts/${ACCOUNT_SID}/Messages/MM1/Media/ME1`
const PROVIDER = /twilio|twil\.io|elevenlabs|googleapis|amazonaws|127\.0\.0\.1|Accounts\/AC/i

let fake: FakeTelco
let platform: Server
let app: TestApp
let admin: Caller
let media: MediaStore
const ids: Record<string, number> = {}

beforeAll(async () => {
  fake = await FakeTelco.start()
  platform = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('a voice'),
  )
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve))
  const voices = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`
  app = await TestApp.start({ env: { TELCO_BASE_URL: fake.url, VOICEAI_BASE_URL: voices } })
  await setUpTelco(app)
  admin = app.admin
  media = new MediaStore(app.config.mediaDir)
  ids.contact = await admin.ask('res.partner', 'create', { vals_list: { name: 'Zoe Müller', phone: CALLER } })
  const url = fake.recordingUrl('RE00000000000000000000000000000001')
  ids.call = await insertRow(app.db, 'connect_call', { status: 'completed', partner: ids.contact, voicemail_url: url })
  ids.channel = await insertRow(app.db, 'connect_channel', { sid: 'CA1', call: ids.call })
  const ofCall = { call: ids.call, call_sid: 'CA1' }
  ids.voicemail = await insertRow(app.db, 'connect_voicemail', { ...ofCall, sid: 'REvm', url, duration: 3 })
  const recording = { ...ofCall, partner: ids.contact, media_url: url }
  ids.remote = await insertRow(app.db, 'connect_recording', { ...recording, sid: 'RE1' })
  for (const [name, type] of [
    ['mp3', 'audio/mpeg'],
    ['wav', 'audio/x-wav; rate=8000'],
    ['ogg', 'audio/ogg'],
  ] as const) {
    const media_ref = await media.store(Readable.from([Buffer.from('audio')]), name)
    ids[name] = await insertRow(app.db, 'connect_recording', {
      ...recording,
      sid: `RE${name}`,
      media_ref,
      media_type: type,
    })
  }
  const parties = { from_number: CALLER, to_number: '+14155550199', direction: 'incoming', status: 'received' }
  const came = JSON.stringify([{ url: MEDIA, type: 'image/png' }])
  ids.message = await insertRow(app.db, 'connect_message', {
    ...parties,
    partner: ids.contact,
    media: came,
    media_url: MEDIA,
  })
  ids.voice = await insertRow(app.db, 'connect_voiceai_voice', {
    voice_id: 'v',
    name: 'Alice',
    preview_url: `${voices}/a.mp3`,
  })
  ids.speech = await admin.ask('connect.voiceai_file', 'create', {
    vals_list: { text: 'Hello', filename: 'abc123.mp3', file: Buffer.from('speech').toString('base64') },
  })
  const form = (name: string, address: string) =>
    `CallSid=CA1&${name}=${encodeURIComponent(address)}&From=%2B14155550131`
  for (const body of [form('RecordingUrl', url), form('MediaUrl0', MEDIA), JSON.stringify({ media: MEDIA })]) {
    await app.db.query(
      sql`insert into connect_delivery (area, route, verdict, received_at, body, call_ref)
          values ('telco', 'message', 'handled', now() at time zone 'utc', ${body}, ${ids.call}::bigint)`,
    )
  }
})
afterAll(async () => {
  await app.stop()
  await fake.stop()
  platform.close()
})

async function sent(name: string, body: Buffer): Promise<number> {
  const answer = await app.request(`/api/attachment?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { authorization: `bearer ${admin.key}`, 'content-type': BYTES },
    body,
  })
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as { id: number }).id
}

const open = (path: string, method = 'GET') =>
  app.request(path, { method, headers: { authorization: `bearer ${admin.key}` } })

function holds(type: string): void {
  fake.on('GET', /\/Media\/ME1$/, {
    headers: { 'content-type': type, 'x-where': 'https://api.twilio.com/' },
    body: 'bytes',
  })
}

/** What a browser calls the download (RFC 6266, the extended form before the plain one). */
function nameIn(header: string): string {
  const [, extended] = /filename\*=UTF-8''([^;]+)/.exec(header) ?? []
  if (extended !== undefined) return decodeURIComponent(extended)
  const [, quoted, token] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/.exec(header) ?? []
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? ''
}

const AUDIO: [string, () => string, string, string][] = [
  ['a recording at the provider', () => `/connect/recording/${ids.remote}`, 'audio/mpeg', 'recording-{remote}.mp3'],
  ['our copy of a recording', () => `/connect/recording/${ids.mp3}`, 'audio/mpeg', 'recording-{mp3}.mp3'],
  ['a recording as a wave file', () => `/connect/recording/${ids.wav}`, 'audio/x-wav', 'recording-{wav}.wav'],
  ['a recording as Ogg', () => `/connect/recording/${ids.ogg}`, 'audio/ogg', 'recording-{ogg}.ogg'],
  ['the voicemail of a call', () => `/connect/voicemail/${ids.call}`, 'audio/mpeg', 'voicemail-{call}.mp3'],
  ['a voicemail', () => `/connect/voicemails/${ids.voicemail}`, 'audio/mpeg', 'voicemail-{voicemail}.mp3'],
  ['the preview of a voice', () => `/connect/voice/${ids.voice}/preview`, 'audio/mpeg', 'voice-{voice}.mp3'],
  [
    'generated speech',
    () => `/web/content/connect.voiceai_file/${ids.speech}/file/abc123.mp3`,
    'audio/mpeg',
    'speech-{speech}.mp3',
  ],
]

it.each(AUDIO)('%s is given under a name that ends in its type', async (_what, path, type, name) => {
  const { status, headers } = await open(path())
  expect([status, headers.get('content-type')]).toEqual([200, type])
  const disposition = headers.get('content-disposition') ?? ''
  expect(disposition).toMatch(/^inline;/)
  expect(nameIn(disposition)).toBe(name.replaceAll(/\{(\w+)\}/g, (_all, key: string) => String(ids[key])))
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(JSON.stringify([...headers])).not.toMatch(PROVIDER)
})

it.each([
  ['image/png', 'image/png', '.png'],
  ['image/jpeg; charset=binary', 'image/jpeg', '.jpg'],
  ['audio/ogg; codecs=opus', 'audio/ogg', '.ogg'],
  ['video/mp4', 'video/mp4', '.mp4'],
  ['application/pdf', 'application/pdf', '.pdf'],
  ['application/zip', BYTES, '.zip'],
  ['text/vcard', BYTES, '.vcf'],
  ['image/heic', BYTES, '.heic'],
  ['application/x-msdownload', BYTES, ''],
])('what came with a message as %s is given as %s and ends in "%s"', async (came, type, ending) => {
  holds(came)
  const { status, headers } = await open(`/connect/message/${ids.message}/media/0`)
  const disposition = headers.get('content-disposition') ?? ''
  expect([status, headers.get('content-type'), nameIn(disposition)]).toEqual([
    200,
    type,
    `message-${ids.message}-0${ending}`,
  ])
  expect(disposition.startsWith(type === BYTES ? 'attachment;' : 'inline;')).toBe(true)
  expect(JSON.stringify([...headers])).not.toMatch(PROVIDER)
})

it.each([
  ['offer.png', PNG, 'image/png', 'offer.png'],
  ['Zöe’s photo.PNG', PNG, 'image/png', 'Zöe’s photo.PNG'],
  ['写真', PNG, 'image/png', '写真.png'],
  ['🚲 Offerte 1.5', PDF, 'application/pdf', '🚲 Offerte 1.5.pdf'],
  ['photo.jpg', PNG, 'image/png', 'photo.jpg.png'],
  ['setup.exe', PNG, 'image/png', 'setup.exe.png'],
  ['a "quoted" name; filename=x.exe', PDF, 'application/pdf', 'a "quoted" name; filename=x.exe.pdf'],
  ['100% Größe.pdf', PDF, 'application/pdf', '100% Größe.pdf'],
  ['notes.txt', Buffer.from('plain words'), BYTES, 'notes.txt'],
])('a file that is called %j is given under its name, with an ending of its type', async (name, bytes, type, given) => {
  const id = await sent(name, bytes)
  const { status, headers } = await open(`/connect/attachment/${id}`)
  const disposition = headers.get('content-disposition') ?? ''
  expect([status, headers.get('content-type'), nameIn(disposition)]).toEqual([200, type, given])
  // A header has no other characters; who cannot read the extended form still gets a name.
  expect(disposition).toMatch(/^[\x20-\x7e]*$/)
  expect(disposition).toMatch(/filename=/)
})

it('HEAD says of each file what GET says', async () => {
  for (const [, path] of AUDIO.filter(([what]) => what !== 'a recording at the provider')) {
    const [head, get] = [await open(path(), 'HEAD'), await open(path())]
    expect([head.status, head.headers.get('content-disposition')]).toEqual([
      get.status,
      get.headers.get('content-disposition'),
    ])
  }
})

it('an answer without its file names none', async () => {
  const id = await sent('gone.png', PNG)
  await app.db.query(
    sql`update connect_attachment set media_ref = 'ff/ffffffffffffffffffffffffffffffff.bin' where id = ${id}::bigint`,
  )
  fake.on('GET', /\/Media\/ME1$/, { status: 404 })
  for (const path of [
    `/connect/attachment/${id}`,
    `/connect/message/${ids.message}/media/0`,
    '/connect/voice/999999/preview',
  ]) {
    const { status, headers } = await open(path)
    expect([path, status, headers.get('content-disposition')]).toEqual([path, 404, null])
    expect(headers.get('content-type')).toMatch(/^application\/json/)
  }
})

it('what is exported of a person has our own routes, and no address at which a provider keeps media', async () => {
  const all = await admin.ask<Record<string, object[]>>('res.partner', 'export_person', { ids: [ids.contact] })
  const written = JSON.stringify(all)
  expect(written).not.toMatch(PROVIDER)
  expect(all.deliveries).toHaveLength(3)
  for (const path of [`recording/${ids.mp3}`, `voicemails/${ids.voicemail}`, `message/${ids.message}/media/0`]) {
    expect(written).toContain(`/connect/${path}`)
  }
})
