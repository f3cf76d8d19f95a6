import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { SENT_BY_CHECKS } from '../../telco/webhooks/explain.ts'
import type { Connection } from '../own-api/connection.ts'
import { type InstallationCheck, type Installed, note, type Outcome, ok, wrong } from './finding.ts'
import { lookAtProxy, publicAddressProblem } from './public-address.ts'

const TIMEOUT_MS = 8_000
const MS_PER_SECOND = 1_000
/** Deliveries are logged a moment after the answer. */
const LOG_LOOKS_MAX = 15
const LOG_LOOK_EVERY_MS = 200
const SID_BYTES = 16
const UNREACHED = 'It does not reach this service: see "public address".'

interface Logged {
  id: number
  host: string | null
  verdict: string
  headers: Record<string, string> | null
  body: string | null
}

/** What became of a signed request of the phone provider's kind, and where the others are sent. */
interface Sent {
  connection: Connection
  settings: Installed
  base: string
  status: number
  text: string
  logged: Logged | undefined
}

/** Whether what each provider signs is accepted, and what the proxies in between make of a request. */
export const SIGNATURE_CHECKS: readonly InstallationCheck<Sent>[] = [
  { check: 'telephony signature', look: lookAtTelco },
  {
    check: 'forwarded headers',
    look: ({ logged, base }) => (base.startsWith('https://') && logged !== undefined ? lookAtProxy(logged, base) : []),
  },
  { check: 'post-call signature', look: lookAtPostCall },
  { check: 'agent token', look: lookAtToken },
]

/** Where providers ask us: at the public address if there is one, else at our own. */
export function askedAt({ api_url: apiUrl }: Pick<Installed, 'api_url'>, address: string): string {
  // A token is sent nowhere but to an address that providers can reach, and to ourselves.
  return publicAddressProblem(apiUrl) === undefined ? (apiUrl ?? '').replace(/\/+$/, '') : address
}

/** Sends ourselves, at that address, what the phone provider would. */
export async function sendSigned(connection: Connection, settings: Installed, base: string): Promise<Sent> {
  const sid = `CA${randomBytes(SID_BYTES).toString('hex')}`
  const { default: webhooks } = await import('twilio/lib/webhooks/webhooks.js')
  const signed = `${base.replace(/^http:/, 'https:')}${SENT_BY_CHECKS}`
  const signature = webhooks.getExpectedTwilioSignature(settings.auth_token ?? '', signed, { CallSid: sid })
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature }
  const reply = await post(base + SENT_BY_CHECKS, new URLSearchParams({ CallSid: sid }).toString(), headers)
  const logged = reply.status === 0 ? undefined : await findLogged(connection, sid)
  return { connection, settings, base, ...reply, logged }
}

async function lookAtTelco({ connection, settings, status, text, logged }: Sent): Promise<Outcome> {
  if (!settings.telco_verify_requests) {
    const fix = 'connect settings set telco_verify_requests on'
    return wrong('is not verified: anyone can send call events', fix, 'telco_verify_requests')
  }
  if (settings.auth_token === null) {
    return note('no auth token is set', 'connect settings set auth_token', 'auth_token')
  }
  if (text.includes('<Hangup')) return ok('a signed request is accepted')
  if (status === 0) return wrong('a signed request gets no answer', UNREACHED, 'api_url')
  const fix = logged === undefined ? UNREACHED : await explain(connection, logged)
  return wrong('a correctly signed request is declined', fix, 'auth_token')
}

async function findLogged(connection: Connection, sid: string): Promise<Logged | undefined> {
  const args = { domain: [['route', '=', SENT_BY_CHECKS]], fields: ['host', 'verdict', 'headers', 'body'], limit: 20 }
  for (let look = 0; look < LOG_LOOKS_MAX; look += 1) {
    const rows = await connection.call<Logged[]>('connect.delivery', 'search_read', args)
    const found = rows.find(({ body }) => body?.includes(sid) === true)
    if (found !== undefined) return found
    await pause(LOG_LOOK_EVERY_MS)
  }
  return undefined
}

async function explain(connection: Connection, { id, verdict }: Logged): Promise<string> {
  if (verdict !== 'rejected') return `connect deliveries show ${id} says what happened.`
  const { sentence } = await connection.call<{ sentence: string }>('connect.delivery', 'explain', { ids: [id] })
  return sentence
}

async function lookAtPostCall({ settings, base }: Sent): Promise<Outcome> {
  const secret = settings.voiceai_post_call_webhook_secret
  if (secret === null) return note('no webhook secret is stored yet', 'connect sync voiceai')
  const body = JSON.stringify({ type: 'connect_doctor', data: {} })
  const time = Math.floor(Date.now() / MS_PER_SECOND)
  const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'voiceai-signature': `t=${time},v0=${digest}` }
  const { status } = await post(`${base}/connect_voiceai/post_call`, body, headers)
  if (status === 200) return ok('a signed webhook is accepted')
  if (status === 0) return wrong('a signed webhook gets no answer', UNREACHED, 'api_url')
  const fix = 'A proxy must pass the header and body unchanged; then run connect sync voiceai.'
  const declined = 'a correctly signed webhook is declined'
  return wrong(isDeclined(status) ? declined : `a correctly signed webhook is answered ${status}`, fix)
}

async function lookAtToken({ settings, base }: Sent): Promise<Outcome> {
  const headers = {
    'content-type': 'application/json',
    'x-voiceai-agent-token': settings.voiceai_agent_token ?? '',
  }
  const { status } = await post(`${base}/connect_voiceai/get_current_date`, '{}', headers)
  if (status === 200) return ok('tools accept it')
  if (status === 0) return wrong('a tool gives no answer', UNREACHED, 'api_url')
  const fix = 'A proxy must pass the header x-voiceai-agent-token; then run connect sync voiceai.'
  return wrong(isDeclined(status) ? 'tools decline it' : `a tool answers ${status}`, fix)
}

function isDeclined(status: number): boolean {
  return status === 401 || status === 403
}

/** Status 0 and no text when there is no answer. */
async function post(
  url: string,
  body: string,
  headers: Record<string, string>,
): Promise<{ status: number; text: string }> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const reply = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'manual' })
    return { status: reply.status, text: await reply.text() }
  } catch {
    return { status: 0, text: '' }
  }
}
