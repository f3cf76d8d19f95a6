// What a WhatsApp template shows in its header: sent by the provider, stored with the message, and reached by our own address.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { GROUP } from '../../../src/platform/access/identity.ts'
import { publicAddress } from '../../../src/telco/client/media-address.ts'
import { FakeTelco } from '../../support/fake-telco.ts'
import { insertRow } from '../../support/rows.ts'
import { ACCOUNT_SID, setUpTelco } from '../../support/telco.ts'
import { type Caller, eventually, TestApp } from '../../support/test-app.ts'

const OURS = '+14155550199'
const THEIRS = '+14155550100'
const AT_PROVIDER = `https://api.twilio.com/2010-04-01/Accounts/${ACCOUNT_SID}/Messages/MM1/Media/ME1`

let fake: FakeTelco
let app: TestApp
let anna: Caller
let bert: Caller
let partner: number

beforeAll(async () => {
  fake = await FakeTelco.start()
  app = await TestApp.start({ env: { TELCO_BASE_URL: fake.url } })
  await setUpTelco(app)
  anna = await app.person([GROUP.internal, GROUP.connectUser])
  bert = await app.person([GROUP.internal, GROUP.connectUser])
  partner = await app.admin.ask('res.partner', 'create', { vals_list: { name: 'Zoe', phone: THEIRS } })
  await insertRow(app.db, 'connect_whatsapp_sender', { number: OURS, sid: 'XE1', status: 'ONLINE', is_default: true })
})
afterAll(async () => {
  await app.stop()
  await fake.stop()
})
beforeEach(() => fake.reset())

interface Content {
  content_type: string
  body: string
  actions?: unknown[]
  media?: string[]
}

async function aTemplate({ content_type: type, body, actions, media }: Content): Promise<number> {
  const [language] = await app.db.query<{ id: number }>(sql`select id from res_lang where code = 'en_US'`)
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  return insertRow(app.db, 'connect_message_content_template', {
    friendly_name: `Offer ${type}`,
    language: language?.id,
    content_type: type,
    status: 'approved',
    sid: 'HX1',
    body,
    actions: json(actions),
    media: json(media),
    variables: JSON.stringify({ 1: 'sample' }),
  })
}

interface Row {
  id: number
  num_media: number
  media_url: string | null
  media_urls: { url: string; type: string | null }[] | null
  media_widget: string | null
}

async function sent(template: number, variables: object = {}): Promise<Row> {
  const args = { to: THEIRS, message_type: 'WhatsApp', template_id: template, template_variables: variables }
  const id = await anna.ask<number>('connect.message', 'send', args)
  const fields = ['message_sid', 'num_media', 'media_url', 'media_urls', 'media_widget']
  const read = async () =>
    (await anna.ask<(Row & { message_sid: string })[]>('connect.message', 'read', { ids: [id], fields }))[0]
  return eventually(async () => {
    const row = await read()
    return row?.message_sid ? row : undefined
  })
}

async function open(id: number, at: number, who = anna) {
  const reply = await fetch(`${app.url}/connect/message/${id}/media/${at}`, {
    headers: { authorization: `bearer ${who.key}` },
  })
  return { status: reply.status, headers: Object.fromEntries(reply.headers), text: await reply.text() }
}

const lies = (type: string) => fake.on('GET', /^\/offers\//, { headers: { 'content-type': type }, body: 'the picture' })
const at = (name: string) => `${fake.url}/offers/${name}`

it.each([
  ['media', (url: string) => ({ actions: [url] })],
  ['card', (url: string) => ({ media: [url], actions: [{ type: 'URL', title: 'See', url: 'https://acme.example' }] })],
  ['whatsapp/card', (url: string) => ({ media: [url] })],
  ['carousel', (url: string) => ({ actions: [{ body: 'One', media: url, actions: [] }] })],
] as const)(
  'a template of the kind %s is sent as such, and its media are shown by our own address',
  async (type, held) => {
    const template = await aTemplate({ content_type: type, body: 'For {{1}}', ...held(at('{{1}}.jpg')) })
    const row = await sent(template, { 1: 'zoe' })
    const form = fake.asked('POST', /Messages/).at(-1)?.form
    expect([form?.get('ContentSid'), form?.getAll('MediaUrl')]).toEqual(['HX1', []])
    const url = `/connect/message/${row.id}/media/0`
    expect(row).toMatchObject({ num_media: 1, media_url: null, media_urls: [{ url, type: 'image/jpeg' }] })
    expect(row.media_widget).toBe(`<img src="${url}" alt="">`)
    const posts = await anna.ask<{ body: string }[]>('res.partner', 'message_list', { ids: [partner] })
    const post = posts.find(({ body }) => body.includes(url))?.body ?? ''
    expect(post).toContain('For zoe')
    expect(post).not.toContain('offers')
    lies('image/jpeg')
    const { status, headers, text } = await open(row.id, 0)
    expect([status, text, headers['content-type']]).toEqual([200, 'the picture', 'image/jpeg'])
    expect(headers['content-disposition']).toBe(`inline; filename="message-${row.id}-0.jpg"`)
    expect(JSON.stringify(headers)).not.toContain('offers')
    const [asked] = fake.asked('GET', /^\/offers\//)
    expect([asked?.path, asked?.headers.authorization]).toEqual(['/offers/zoe.jpg', undefined])
  },
)

it('media of somebody else’s message are not opened by a template that names them, and a redirect out of sight is followed by nobody', async () => {
  const row = await sent(await aTemplate({ content_type: 'card', body: 'Title', media: [AT_PROVIDER, at('moved')] }))
  fake.on('GET', /\/Media\/ME1$/, { headers: { 'content-type': 'image/png' }, body: 'kept there' })
  expect((await open(row.id, 0)).status).toBe(404)
  expect(fake.asked('GET', /Media/)).toEqual([])
  for (const location of [
    AT_PROVIDER,
    'http://127.0.0.1:9/x',
    'https://10.0.0.1/x',
    'https://localhost/x',
    'file:///etc/passwd',
  ]) {
    fake.on('GET', /^\/offers\/moved/, { status: 302, headers: { location } })
    const { status, text } = await open(row.id, 1)
    expect([location, status, JSON.parse(text).context.code]).toEqual([location, 503, 'media-away'])
  }
})

it('the media of a template are for everybody who may read its message, and only places that are filled in are media', async () => {
  const held = {
    content_type: 'media',
    body: 'See',
    actions: [at('one.png'), '{{2}}', 'ftp://a.example/x.png', 'javascript:alert(1)'],
  }
  const row = await sent(await aTemplate(held))
  expect(row).toMatchObject({ num_media: 1, media_urls: [{ type: 'image/png' }] })
  expect((await open(row.id, 0, bert)).status).toBe(404)
  expect((await open(row.id, 1)).status).toBe(404)
  expect(fake.asked('GET', /^\/offers\//)).toEqual([])
  const plain = await sent(await aTemplate({ content_type: 'text', body: 'Only words' }))
  expect(plain).toMatchObject({ num_media: 0, media_urls: [], media_widget: null })
})

it.each([
  'http://a.example/x.png',
  'https://127.0.0.1/x.png',
  'https://[::1]/x.png',
  'https://192.168.1.7/x.png',
  'https://169.254.169.254/latest/meta-data',
  'https://intranet/x.png',
  'https://localhost/x.png',
  'https://user:secret@a.example/x.png',
  'https://a.example:8443/x.png',
  'file:///etc/passwd',
  'no address',
])('media at %s are opened for nobody', (address) => {
  expect(publicAddress(address, undefined)).toBeUndefined()
})

it('a card is written with its media, a list of texts', async () => {
  const [language] = await app.admin.ask<number[]>('res.lang', 'search', { domain: [['code', '=', 'en_US']] })
  const card = { friendly_name: 'Card', language, content_type: 'card', body: 'Title' }
  const write = (media: unknown) =>
    app.admin.call('connect.message_content_template', 'create', { vals_list: { ...card, media } })
  expect((await write(['https://a.example/1.png'])).status).toBe(200)
  for (const wrong of [{ a: 1 }, [7], 'https://a.example/1.png']) {
    expect([wrong, (await write(wrong)).status]).toEqual([wrong, 422])
  }
})
