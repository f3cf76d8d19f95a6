import type { Config } from '../../config.ts'
import { asError } from '../../errors.ts'
import type { Connection } from '../service/connection.ts'
import { startRun, waitForRun } from '../service/sync-runs.ts'
import type { Finding, Installed } from './finding.ts'

const TIMEOUT_MS = 8_000
/** A check asks the provider for every list; a large account takes its time. */
const CHECK_TIMEOUT_MS = 90_000
const SKEW_SECONDS_MAX = 60
const MS_PER_SECOND = 1_000
/** The provider's own API, unless the configuration names another. */
const TELCO_API = 'https://api.twilio.com'

interface Provider {
  name: 'voiceai' | 'telco'
  isSetUp(settings: Installed): boolean
  /** What is missing while it is not. */
  setUp: string
}

const PROVIDERS: readonly Provider[] = [
  {
    name: 'voiceai',
    isSetUp: (settings) => settings.voiceai_enabled && settings.voiceai_api_key !== null,
    setUp: 'connect settings set voiceai_api_key; connect settings set voiceai_enabled on; connect sync voiceai',
  },
  {
    name: 'telco',
    isSetUp: (settings) => settings.account_sid !== null && settings.auth_token !== null,
    setUp: 'connect settings set account_sid AC...; connect settings set auth_token; connect sync telco',
  },
]

/** Whether both providers hold what is here (each address, the token, the webhook), and what time it is there. */
export async function checkProviders(
  connection: Connection,
  settings: Installed,
  { telcoBaseUrl, voiceaiBaseUrl }: Config,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { name, isSetUp, setUp } of PROVIDERS) {
    if (!isSetUp(settings)) {
      findings.push({ result: 'note', check: name, finding: 'is not set up or switched off', fix: setUp })
      continue
    }
    findings.push(await compareClocks(name, name === 'voiceai' ? voiceaiBaseUrl : (telcoBaseUrl ?? TELCO_API)))
    findings.push(...(await compare(connection, name)))
  }
  return findings
}

async function compare(connection: Connection, check: Provider['name']): Promise<Finding[]> {
  const sync = `connect sync ${check}`
  try {
    const id = await startRun(connection, `${check}_check`)
    const run = await waitForRun(connection, id, { timeoutMs: CHECK_TIMEOUT_MS })
    if (run.state !== 'done' && run.state !== 'failed') {
      const fix = 'Run the service with WORKER=on, or a worker, and look at its log.'
      return [{ result: 'WRONG', check, finding: `the comparison is still ${run.state}: nobody works on jobs`, fix }]
    }
    const failed = run.errors.map(({ message }) => message)
    const differing = run.differences.map(({ what, name, message }) => `${name ?? what}: ${message}`)
    const wrong = [...failed, ...differing].map((finding) => ({ result: 'WRONG' as const, check, finding, fix: sync }))
    const finding = 'holds the addresses, secrets and records that are here'
    return wrong.length > 0 ? wrong : [{ result: 'ok', check, finding, fix: '' }]
  } catch (error) {
    // A refusal of the service names what is missing; another comparison may be under way.
    return [{ result: 'WRONG', check, finding: asError(error).message, fix: `Set that right, then: ${sync}` }]
  }
}

/** Signatures and tokens carry the time, so it has to be the same here and there. */
async function compareClocks(name: Provider['name'], url: string): Promise<Finding> {
  const check = `${name} clock`
  const asked = Date.now()
  const date = await readDate(url)
  if (date === undefined) {
    const fix = 'Let the service reach it over the network, and check the base URL in the configuration.'
    return { result: 'WRONG', check, finding: `${url} cannot be reached from here`, fix }
  }
  const seconds = Math.round(Math.abs(date - (asked + Date.now()) / 2) / MS_PER_SECOND)
  if (Number.isNaN(seconds)) return { result: 'note', check, finding: `${url} does not tell its time`, fix: '' }
  if (seconds <= SKEW_SECONDS_MAX) return { result: 'ok', check, finding: 'agrees with the one here', fix: '' }
  const fix = 'Keep the clock by NTP: signatures older than 30 minutes are rejected.'
  return { result: 'WRONG', check, finding: `the clock here is ${seconds} s off`, fix }
}

/** NaN when it answers without a date. No credentials are sent: the answer may well be a refusal. */
async function readDate(url: string): Promise<number | undefined> {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' })
    await reply.body?.cancel()
    return Date.parse(reply.headers.get('date') ?? '')
  } catch {
    return undefined
  }
}
