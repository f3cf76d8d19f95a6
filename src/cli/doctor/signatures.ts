import { createHmac } from 'node:crypto'
import type { Finding, Installed } from './public-address.ts'

const TIMEOUT_MS = 8_000
const MS_PER_SECOND = 1_000

/** Sends one signed request of each provider's kind to ourselves, as the provider would, and looks at the answer. */
export async function checkSignatures(settings: Installed, address: string | undefined): Promise<Finding[]> {
  const base = settings.api_url?.startsWith('https://') === true ? settings.api_url.replace(/\/+$/, '') : address
  if (base === undefined) return []
  return [await checkTelco(settings, base), await checkPostCall(settings, base), await checkToken(settings, base)]
}

async function checkTelco(
  { auth_token: token, telco_verify_requests: verifies }: Installed,
  base: string,
): Promise<Finding> {
  const check = 'telephony signature'
  if (!verifies) {
    const fix = 'connect settings set telco_verify_requests on'
    return { result: 'WRONG', check, finding: 'is not verified: anybody can send call events', fix }
  }
  if (token === null)
    return { result: 'note', check, finding: 'no Auth Token is set', fix: 'connect settings set auth_token' }
  const { default: webhooks } = await import('twilio/lib/webhooks/webhooks.js')
  const path = '/telco/webhook/callaction'
  const fields = { CallSid: 'CAdoctor' }
  const signature = webhooks.getExpectedTwilioSignature(token, `${base.replace(/^http:/, 'https:')}${path}`, fields)
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature }
  const { text } = await post(base + path, new URLSearchParams(fields).toString(), headers)
  if (text.includes('<Hangup')) return { result: 'ok', check, finding: 'a signed request is accepted', fix: '' }
  const fix =
    'connect deliveries list --verdict rejected, then explain_signature on connect.settings tells which setting is wrong.'
  return { result: 'WRONG', check, finding: 'a correctly signed request is refused', fix }
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
  const fix = 'A proxy must hand on header and body unchanged; then run connect sync voiceai.'
  return { result: 'WRONG', check, finding: `a correctly signed delivery is answered ${status}`, fix }
}

async function checkToken({ voiceai_agent_token: token }: Installed, base: string): Promise<Finding> {
  const check = 'agent token'
  const headers = { 'content-type': 'application/json', 'x-voiceai-agent-token': token ?? '' }
  const { status } = await post(`${base}/connect_voiceai/get_current_date`, '{}', headers)
  if (status === 200) return { result: 'ok', check, finding: 'tools accept it', fix: '' }
  const fix = 'A proxy must hand the header x-voiceai-agent-token on; then run connect sync voiceai.'
  return { result: 'WRONG', check, finding: `a tool answers ${status}`, fix }
}

async function post(
  url: string,
  body: string,
  headers: Record<string, string>,
): Promise<{ status: number; text: string }> {
  try {
    const reply = await fetch(url, {
      method: 'POST',
      body,
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    })
    return { status: reply.status, text: await reply.text() }
  } catch {
    return { status: 0, text: '' }
  }
}
