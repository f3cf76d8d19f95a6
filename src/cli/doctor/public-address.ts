/** What a check found, and what to do about it. */
export interface Finding {
  result: 'ok' | 'note' | 'WRONG'
  check: string
  finding: string
  fix: string
}

/** What the checks read of the settings; the command line acts as a manager, so secrets are in clear and stay in memory. */
export interface Installed {
  id: number
  api_url: string | null
  voiceai_enabled: boolean
  voiceai_api_key: string | null
  voiceai_agent_token: string | null
  voiceai_post_call_webhook_secret: string | null
  account_sid: string | null
  auth_token: string | null
  telco_verify_requests: boolean
}

const TIMEOUT_MS = 8_000
const SKEW_SECONDS_MAX = 120
const MS_PER_SECOND = 1_000

/** Whether the public address is set, is https, reaches this service, and keeps the right time. */
export async function checkPublicAddress({ api_url: apiUrl }: Installed): Promise<Finding[]> {
  const check = 'public address'
  if (apiUrl === null) {
    const fix = 'connect settings set api_url https://your.public.address'
    return [{ result: 'WRONG', check, finding: 'api_url is not set, so no provider can reach us', fix }]
  }
  if (!apiUrl.startsWith('https://')) {
    const fix = 'Put a TLS proxy in front and set api_url to its https address.'
    return [{ result: 'WRONG', check, finding: `${apiUrl} is not https`, fix }]
  }
  try {
    const asked = Date.now()
    const reply = await fetch(`${apiUrl}/healthz`, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' })
    return [reachable(apiUrl, reply.status), skew(reply.headers.get('date'), asked)]
  } catch (error) {
    const finding = `${apiUrl} cannot be reached from here: ${error instanceof Error ? error.message : String(error)}`
    return [
      { result: 'WRONG', check, finding, fix: 'Check DNS, the certificate and the proxy in front of the service.' },
    ]
  }
}

function reachable(apiUrl: string, status: number): Finding {
  const check = 'public address'
  if (status === 200) return { result: 'ok', check, finding: `${apiUrl} reaches this service`, fix: '' }
  const isRedirect = status >= 300 && status < 400
  const fix = isRedirect
    ? 'Providers lose their fields on redirects: set api_url to the address it redirects to.'
    : 'The proxy must hand every path on to the service.'
  return { result: 'WRONG', check, finding: `${apiUrl}/healthz answers ${status}`, fix }
}

function skew(date: string | null, asked: number): Finding {
  const seconds = date === null ? 0 : Math.abs(Date.parse(date) - asked) / MS_PER_SECOND
  const check = 'clock'
  if (seconds <= SKEW_SECONDS_MAX) return { result: 'ok', check, finding: 'agrees with the public address', fix: '' }
  const fix = 'Keep the clock by NTP: signatures older than 30 minutes are rejected.'
  return { result: 'WRONG', check, finding: `is ${Math.round(seconds)} s off`, fix }
}
