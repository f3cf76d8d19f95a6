import type { Config } from '../../config.ts'
import { asError } from '../../errors.ts'
import type { Connection } from '../own-api/connection.ts'
import { startRun, waitForRun } from '../own-api/sync-runs.ts'
import { type InstallationCheck, type Installed, isProviderSetUp, note, type Outcome, ok, wrong } from './finding.ts'

const TIMEOUT_MS = 8_000
/** A check asks the provider for every list; a large account takes its time. */
const CHECK_TIMEOUT_MS = 90_000
const SKEW_SECONDS_MAX = 60
const MS_PER_SECOND = 1_000
/** The provider's own API, unless the configuration names another. */
const TELCO_API = 'https://api.twilio.com'

interface Examined {
  connection: Connection
  settings: Installed
  config: Config
}

/** Each provider, where it is asked for its time, and what is missing while it is not set up. */
const PROVIDERS = [
  {
    name: 'voiceai',
    urlIn: ({ voiceaiBaseUrl }: Config) => voiceaiBaseUrl,
    setUp: 'connect settings set voiceai_api_key; connect settings set voiceai_enabled on; connect sync voiceai',
    missing: 'voiceai_api_key',
  },
  {
    name: 'telco',
    urlIn: ({ telcoBaseUrl }: Config) => telcoBaseUrl ?? TELCO_API,
    setUp: 'connect settings set account_sid AC...; connect settings set auth_token; connect sync telco',
    missing: 'account_sid',
  },
] as const

/** Whether both providers hold what is here (each address, the token, the webhook), and what time it is there. */
export const PROVIDER_CHECKS: readonly InstallationCheck<Examined>[] = PROVIDERS.flatMap(
  ({ name, urlIn, setUp, missing }) => [
    {
      check: `${name} clock`,
      look: ({ settings, config }: Examined) => (isProviderSetUp(name, settings) ? compareClocks(urlIn(config)) : []),
    },
    {
      check: name,
      look: ({ connection, settings }: Examined) =>
        isProviderSetUp(name, settings)
          ? compare(connection, name)
          : note('is not set up or switched off', setUp, missing),
    },
  ],
)

async function compare(connection: Connection, name: string): Promise<Outcome[]> {
  const sync = `connect sync ${name}`
  try {
    const id = await startRun(connection, `${name}_check`)
    const run = await waitForRun(connection, id, { timeoutMs: CHECK_TIMEOUT_MS })
    if (run.state !== 'done' && run.state !== 'failed') {
      const fix = 'Run the service with WORKER=on, or a worker, and check its log.'
      return [wrong(`the comparison is still ${run.state}: no worker is running`, fix)]
    }
    const failed = run.errors.map(({ message }) => message)
    const differing = run.differences.map((each) => `${each.name ?? each.what}: ${each.message}`)
    const found = [...failed, ...differing].map((finding) => wrong(finding, sync))
    return found.length > 0 ? found : [ok('matches the addresses, secrets and data here')]
  } catch (error) {
    // A refusal of the service names what is missing; another comparison may be under way.
    return [wrong(asError(error).message, `Fix that, then: ${sync}`)]
  }
}

/** Signatures and tokens carry the time, so it has to be the same here and there. */
async function compareClocks(url: string): Promise<Outcome> {
  const asked = Date.now()
  const date = await readDate(url)
  if (date === undefined) {
    const fix = 'Allow network access to it and check the base URL in the configuration.'
    return wrong(`${url} cannot be reached from here`, fix)
  }
  const seconds = Math.round(Math.abs(date - (asked + Date.now()) / 2) / MS_PER_SECOND)
  if (Number.isNaN(seconds)) return note(`${url} does not say its time`)
  if (seconds <= SKEW_SECONDS_MAX) return ok('matches the clock here')
  return wrong(
    `the clock here is ${seconds} s off`,
    'Set the clock by NTP: signatures older than 30 minutes do not count.',
  )
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
