import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Connection } from '../service/connection.ts'
import type { Finding, Installed } from './finding.ts'

const TIMEOUT_MS = 8_000
const MS_PER_SECOND = 1_000
const CALL_ROUTE = '/telco/webhook/callaction'
/** Deliveries are logged a moment after the answer. */
const LOG_LOOKS_MAX = 15
const LOG_LOOK_EVERY_MS = 200
const SID_BYTES = 16

/**
 * Sends one signed request of each provider's kind to ourselves, as the provider would, and looks at the answer and at what
 * the proxies in between made of the request.
 */
export async function checkSignatures(
  connection: Connection,
  settings: Installed,
  address: string,
): Promise<Finding[]> {
  const isPublic = settings.api_url?.startsWith('https://') === true
  const base = isPublic ? (settings.api_url ?? '').replace(/\/+$/, '') : address
  return [
    ...(await checkTelco(connection, settings, base)),
    await checkPostCall(settings, base),
    await checkToken(settings, base),
  ]
}

async function checkTelco(
  connection: Connection,
  { auth_token: token, telco_verify_requests: verifies }: Installed,
  base: string,
): Promise<Finding[]> {
  const check = 'telephony signature'
  const sid = `CA${randomBytes(SID_BYTES).toString('hex')}`
  const { default: webhooks } = await import('twilio/lib/webhooks/webhooks.js')
  const signed = `${base.replace(/^http:/, 'https:')}${CALL_ROUTE}`
  const signature = webhooks.getExpectedTwilioSignature(token ?? '', signed, { CallSid: sid })
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature }
  const { status, text } = await post(base + CALL_ROUTE, new URLSearchParams({ CallSid: sid }).toString(), headers)
  const logged = status === 0 ? undefined : await findLogged(connection, sid)
  const forwarded = base.startsWith('https://') && logged !== undefined ? [checkForwarded(logged, base)] : []
  if (!verifies) {
    const fix = 'connect settings set telco_verify_requests on'
    return [{ result: 'WRONG', check, finding: 'is not verified: anybody can send call events', fix }, ...forwarded]
  }
  if (token === null) {
    return [
      { result: 'note', check, finding: 'no Auth Token is set', fix: 'connect settings set auth_token' },
      ...forwarded,
    ]
  }
  if (text.includes('<Hangup'))
    return [{ result: 'ok', check, finding: 'a signed request is accepted', fix: '' }, ...forwarded]
  if (status === 0) return [{ result: 'WRONG', check, finding: 'a signed request gets no answer', fix: UNREACHED }]
  const fix = logged === undefined ? UNREACHED : await explain(connection, logged)
  return [{ result: 'WRONG', check, finding: 'a correctly signed request is refused', fix }, ...forwarded]
}

const UNREACHED = 'It does not reach this service: see "public address".'

interface Logged {
  id: number
  host: string | null
  verdict: string
  headers: Record<string, string> | null
  body: string | null
}

async function findLogged(connection: Connection, sid: string): Promise<Logged | undefined> {
  const args = { domain: [['route', '=', CALL_ROUTE]], fields: ['host', 'verdict', 'headers', 'body'], limit: 20 }
  for (let look = 0; look < LOG_LOOKS_MAX; look += 1) {
    const rows = await connection.call<Logged[]>('connect.delivery', 'search_read', args)
    const found = rows.find(({ body }) => body?.includes(sid) === true)
    if (found !== undefined) return found
    await pause(LOG_LOOK_EVERY_MS)
  }
  return undefined
}

async function explain(connection: Connection, { id, verdict }: Logged): Promise<string> {
  if (verdict !== 'rejected') return `connect deliveries show ${id} tells what happened.`
  const { sentence } = await connection.call<{ sentence: string }>('connect.delivery', 'explain', { ids: [id] })
  return sentence
}

/** Signatures are over the public address, and the log shows what was asked: the service must learn both from the proxy. */
export function checkForwarded({ host, headers }: Pick<Logged, 'host' | 'headers'>, base: string): Finding {
  const check = 'forwarded headers'
  const wanted = new URL(base).host
  if (headers?.['x-forwarded-proto'] === undefined && headers?.forwarded === undefined) {
    const fix = `Have the proxy send "X-Forwarded-Proto: https" and "X-Forwarded-Host: ${wanted}", and set TRUST_PROXY to its address.`
    return { result: 'WRONG', check, finding: 'the proxy does not say that https was used', fix }
  }
  if (host === wanted) return { result: 'ok', check, finding: `the service is asked as ${wanted}`, fix: '' }
  const fix = `Have the proxy keep "Host: ${wanted}", or send "X-Forwarded-Host: ${wanted}" and set TRUST_PROXY to its address.`
  return { result: 'WRONG', check, finding: `the service is asked as ${host ?? 'nobody'}, not as ${wanted}`, fix }
}

async function checkPostCall({ voiceai_post_call_webhook_secret: secret }: Installed, base: string): Promise<Finding> {
  const check = 'post-call signature'
  if (secret === null) {
    return { result: 'note', check, finding: 'no webhook secret is stored yet', fix: 'connect sync voiceai' }
  }
  const body = JSON.stringify({ type: 'connect_doctor', data: {} })
  const time = Math.floor(Date.now() / MS_PER_SECOND)
  const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'voiceai-signature': `t=${time},v0=${digest}` }
  const { status } = await post(`${base}/connect_voiceai/post_call`, body, headers)
  if (status === 200) return { result: 'ok', check, finding: 'a signed delivery is accepted', fix: '' }
  if (status === 0) return { result: 'WRONG', check, finding: 'a signed delivery gets no answer', fix: UNREACHED }
  const fix = 'A proxy must hand on header and body unchanged; then run connect sync voiceai.'
  return { result: 'WRONG', check, finding: `a correctly signed delivery is answered ${status}`, fix }
}

async function checkToken({ voiceai_agent_token: token }: Installed, base: string): Promise<Finding> {
  const check = 'agent token'
  const headers = { 'content-type': 'application/json', 'x-voiceai-agent-token': token ?? '' }
  const { status } = await post(`${base}/connect_voiceai/get_current_date`, '{}', headers)
  if (status === 200) return { result: 'ok', check, finding: 'tools accept it', fix: '' }
  if (status === 0) return { result: 'WRONG', check, finding: 'a tool gives no answer', fix: UNREACHED }
  const fix = 'A proxy must hand the header x-voiceai-agent-token on; then run connect sync voiceai.'
  return { result: 'WRONG', check, finding: `a tool answers ${status}`, fix }
}

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
