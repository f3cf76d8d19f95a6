// Each webhook with what it is typically sent, and with everything that may be wrong with it.
import { createHmac } from 'node:crypto'
import webhooks from 'twilio/lib/webhooks/webhooks.js'
import { AUTH_TOKEN, playScenarios } from './play-scenarios.ts'
import type { World } from './record-all.ts'
import type { Reply } from './recorder.ts'
import { PUBLIC_URL } from './service.ts'
import { findKnown, listWebhooks, type Proof, type Webhook } from './webhook-requests.ts'

const { getExpectedTwilioSignature } = webhooks
const MS_PER_SECOND = 1_000
const LONG_CHARS = 5_000
const BODY_BYTES_TOO_MANY = 2 * 1024 * 1024
/** Put in the place of each field of JSON in turn, and of the fields of a form where it is text. */
const ODD: readonly unknown[] = [
  '',
  'None',
  null,
  0,
  -1,
  1.5,
  1e300,
  true,
  'ünïcödé ☎ \u0000 <&>',
  'x'.repeat(LONG_CHARS),
  [],
  [1],
  { a: 1 },
]

type Body = Webhook['bodies'][number]

interface Signing {
  token?: string
  secret?: string
  url?: string
  atSeconds?: number
}

/** Plays two scenarios, so that there are records on both sides, and then every webhook. */
export async function playWebhooks(world: World): Promise<void> {
  await playScenarios({ ...world, only: ['agent-helpdesk', 'menu-voicemail'] })
  const { recorder, key } = world
  const headers = { authorization: `bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ fields: ['voiceai_agent_token'] })
  const settings = await recorder.send('settings', '/json/2/connect.settings/search_read', {
    method: 'POST',
    headers,
    body,
  })
  const [{ voiceai_agent_token: token }] = JSON.parse(settings.text) as [{ voiceai_agent_token: string }]
  const ask = { method: 'POST', headers, body: '{}' }
  await recorder.send('settings', '/json/2/connect.settings/voiceai_ensure_post_call_secret', ask)
  const read = { ...ask, body: JSON.stringify({ fields: ['voiceai_post_call_webhook_secret'] }) }
  const stored = await recorder.send('settings', '/json/2/connect.settings/search_read', read)
  const [{ voiceai_post_call_webhook_secret: secret }] = JSON.parse(stored.text) as [
    { voiceai_post_call_webhook_secret: string },
  ]
  const known = await findKnown(recorder)
  const sender = new Sender(world, { token, secret })
  for (const webhook of listWebhooks(known)) {
    recorder.part = `webhooks: ${webhook.route}`
    await sender.play(webhook)
    recorder.recordRequests(world.providers)
  }
}

class Sender {
  readonly #world: World
  readonly #token: string
  readonly #secret: string

  constructor(world: World, { token, secret }: { token: string; secret: string }) {
    this.#world = world
    this.#token = token
    this.#secret = secret
  }

  async play(webhook: Webhook): Promise<void> {
    for (const [at, body] of webhook.bodies.entries()) {
      const which = `typical ${at + 1}`
      await this.#send(which, webhook, body)
      await this.#send(`${which}, repeated`, webhook, body)
      await this.#send(`${which}, shuffled`, webhook, Object.fromEntries(Object.entries(body).reverse()))
    }
    const [body = {}] = webhook.bodies
    await this.#playProofs(webhook, body)
    await this.#playShapes(webhook, body)
    for (const [field, value] of Object.entries(body)) {
      const { [field]: _left, ...others } = body
      await this.#send(`without ${field}`, webhook, others)
      await this.#send(`with nothing but ${field}`, webhook, { [field]: value })
      for (const [at, odd] of ODD.entries()) {
        if (webhook.proof !== 'telco' || typeof odd === 'string') {
          await this.#send(`odd ${at + 1} as ${field}`, webhook, { ...body, [field]: odd })
        }
      }
      if (webhook.proof === 'telco')
        await this.#send(`${field} twice`, webhook, { ...body, [field]: [value, 'second'] })
    }
  }

  async #playProofs(webhook: Webhook, body: Body): Promise<void> {
    const { target, proof } = webhook
    const text = encode(proof, body)
    const type = contentType(proof)
    await this.#raw('unsigned', target, text, type)
    await this.#send('signed with another secret', webhook, body, { token: 'another', secret: 'another' })
    await this.#send('signed for another address', webhook, body, { url: 'https://other.example.com' })
    for (const seconds of [-7200, -1700, 600, 7200]) {
      const atSeconds = Math.floor(Date.now() / MS_PER_SECOND) + seconds
      if (proof === 'post_call') await this.#send(`signed ${seconds} s from now`, webhook, body, { atSeconds })
    }
    for (const broken of ['', 'x', 't=1', 'v0=1', 't=x,v0=y', 'ünsigned']) {
      const header = encodeURIComponent(broken)
      const headers = {
        ...type,
        'voiceai-signature': header,
        'x-telco-signature': header,
        'x-voiceai-agent-token': header,
      }
      await this.#raw(`proof "${broken}"`, target, text, headers)
    }
    const headers = this.#proofs(webhook, text, body)
    await this.#raw('altered after signing', target, text.replace(/[a-z]/, 'z'), { ...type, ...headers })
    await this.#raw('with the call in a header', target, text, { ...type, ...headers, 'x-connect-call': '1' })
    await this.#raw('with an empty call in a header', target, text, { ...type, ...headers, 'x-connect-call': '' })
  }

  async #playShapes(webhook: Webhook, body: Body): Promise<void> {
    const { target, proof } = webhook
    const type = contentType(proof)
    const { recorder } = this.#world
    for (const method of ['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) await recorder.send(method, target, { method })
    await recorder.send('another path', `${target}/more`, { method: 'POST' })
    await this.#send('with a query', { ...webhook, target: `${target}?a=1&b=%20` }, body)
    await this.#send('no fields', webhook, {})
    await this.#send('unknown fields', webhook, { ...body, unknown: 'x', constructor: 'y' })
    for (const text of ['', '[]', 'null', '"text"', '{', '{"a":1', '\u0000', 'a=b&&=c&%zz']) {
      await this.#raw(`body ${JSON.stringify(text)}`, target, text, { ...type, ...this.#proofs(webhook, text, {}) })
    }
    const large = 'x'.repeat(BODY_BYTES_TOO_MANY)
    await this.#send('much too large', webhook, { ...body, large })
    for (const other of [
      'text/plain',
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const text = encode(proof, body)
      await this.#raw(`as ${other}`, target, text, { 'content-type': other, ...this.#proofs(webhook, text, body) })
    }
  }

  #send(name: string, webhook: Webhook, body: Body, signing: Signing = {}): Promise<Reply> {
    const text = encode(webhook.proof, body)
    return this.#raw(name, webhook.target, text, {
      ...contentType(webhook.proof),
      ...this.#proofs(webhook, text, body, signing),
    })
  }

  #proofs({ proof, target }: Webhook, text: string, body: Body, signing: Signing = {}): Record<string, string> {
    const { token = AUTH_TOKEN, secret = this.#secret, url = PUBLIC_URL } = signing
    if (proof === 'token') return { 'x-voiceai-agent-token': signing.token ?? this.#token }
    if (proof === 'telco')
      return { 'x-telco-signature': getExpectedTwilioSignature(token, url + target, fieldsOf(body)) }
    const { atSeconds = Math.floor(Date.now() / MS_PER_SECOND) } = signing
    const digest = createHmac('sha256', secret).update(`${atSeconds}.${text}`).digest('hex')
    return { 'voiceai-signature': `t=${atSeconds},v0=${digest}` }
  }

  #raw(name: string, target: string, body: string, headers: Record<string, string>): Promise<Reply> {
    return this.#world.recorder.send(name, target, { method: 'POST', headers, body })
  }
}

function contentType(proof: Proof): Record<string, string> {
  return { 'content-type': proof === 'telco' ? 'application/x-www-form-urlencoded; charset=UTF-8' : 'application/json' }
}

function encode(proof: Proof, body: Body): string {
  if (proof !== 'telco') return JSON.stringify(body)
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fieldsOf(body))) {
    for (const each of Array.isArray(value) ? value : [value]) form.append(name, each)
  }
  return form.toString()
}

function fieldsOf(body: Body): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  )
}
