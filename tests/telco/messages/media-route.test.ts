// Pictures, audio and files that came with a message: passed on to everybody who may read it, and to nobody else.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { GROUP } from '../../../src/platform/access/identity.ts'
import { FakeTelco } from '../../support/fake-telco.ts'
import { insertRow } from '../../support/rows.ts'
import { setUpTelco } from '../../support/telco.ts'
import { type Caller, TestApp } from '../../support/test-app.ts'

const MEDIA_PATH = '/2010-04-01/Accounts/AC1/Messages/MM1/Media/ME1'

let fake: FakeTelco
let app: TestApp
let anna: Caller
let stranger: Caller
let message: number

beforeAll(async () => {
  fake = await FakeTelco.start()
  app = await TestApp.start({ env: { TELCO_BASE_URL: fake.url } })
  await setUpTelco(app)
  anna = await app.person([GROUP.internal, GROUP.connectUser])
  stranger = await app.person([GROUP.internal])
  message = await aMessage([
    `https://api.twilio.com${MEDIA_PATH}`,
    'https://evil.example/secret',
    'http://127.0.0.1:9/x',
  ])
})
afterAll(async () => {
  await app.stop()
  await fake.stop()
})
beforeEach(() => fake.reset())

function aMessage(urls: string[], values: object = {}): Promise<number> {
  const media = JSON.stringify(urls.map((url) => ({ url, type: 'image/png' })))
  const parties = { from_number: '+14155550100', to_number: '+14155550199', direction: 'incoming', status: 'received' }
  return insertRow(app.db, 'connect_message', { ...parties, media, ...values })
}

function holds(type: string, body = 'some bytes'): void {
  fake.on('GET', /\/Media\/ME1$/, { headers: { 'content-type': type }, body })
}

async function get(n: number | string, who: Caller | undefined = anna, id = message) {
  const headers = who === undefined ? {} : { authorization: `bearer ${who.key}` }
  const reply = await fetch(`${app.url}/connect/message/${id}/media/${n}`, { headers })
  return { status: reply.status, headers: Object.fromEntries(reply.headers), text: await reply.text() }
}

it('a picture is passed on under its type, with nothing of the provider in it', async () => {
  holds('image/png; charset=binary')
  const { status, headers, text } = await get(0)
  expect([status, text]).toEqual([200, 'some bytes'])
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': `inline; filename="message-${message}-0.png"`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, max-age=600',
  })
  expect(JSON.stringify(headers)).not.toMatch(/twilio|evil/)
  expect(fake.requests).toHaveLength(1)
})

it.each(['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/vcard'])(
  'what says that it is %s is only downloaded',
  async (type) => {
    holds(type, '<script>alert(1)</script>')
    const { status, headers } = await get(0)
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'application/octet-stream',
      `attachment; filename="message-${message}-0${type === 'text/vcard' ? '.vcf' : ''}"`,
    ])
  },
)

it("nothing is fetched from an address that is not the provider's", async () => {
  expect([(await get(1)).status, (await get(2)).status]).toEqual([404, 404])
  expect(fake.requests).toEqual([])
})

it('media that are not there, not in the message and not yours look the same', async () => {
  holds('image/png')
  const colleague = await app.person([GROUP.internal, GROUP.connectUser])
  const sent = await aMessage([`https://api.twilio.com${MEDIA_PATH}`], {
    direction: 'outgoing',
    sender_user: anna.userId,
  })
  const answers = [
    await get(0, anna, 999_999),
    await get(7),
    await get('x'),
    await get(0, stranger),
    await get(0, colleague, sent),
    await get(0, anna, sent),
  ]
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(404)
  expect(fake.requests).toEqual([])
  const nobody = await fetch(`${app.url}/connect/message/${message}/media/0`)
  expect(nobody.status).toBe(401)
})

it('a message names the addresses of its media on this service', async () => {
  const [row] = await anna.ask<{ media_urls: unknown }[]>('connect.message', 'read', {
    ids: [message],
    fields: ['media_urls'],
  })
  expect(row?.media_urls).toEqual(
    [0, 1, 2].map((n) => ({ url: `/connect/message/${message}/media/${n}`, type: 'image/png' })),
  )
})
