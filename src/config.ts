import { isIP } from 'node:net'
import path from 'node:path'

/** What the environment decides when the process starts. Settings that people edit live in connect.settings. */
export interface Config {
  host: string
  port: number
  dataDir: string
  mediaDir: string
  databaseUrl: string | undefined
  databasePool: number
  apiUrl: string | undefined
  /** How many proxies stand in front, or their addresses; false for none. */
  trustProxy: false | number | string[]
  logLevel: LogLevel
  secretKey: string | undefined
  /** The key before, while SECRET_KEY is being changed. */
  oldSecretKey: string | undefined
  metricsToken: string | undefined
  worker: boolean
  /** Whether browsers are served the page. */
  page: boolean
  /** Whether the OpenID provider may be this machine, or of its network. */
  localIssuer: boolean
  voiceaiBaseUrl: string
  telcoBaseUrl: string | undefined
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

const PORT_MAX = 65_535
const POOL_MAX = 200
const MS_PER_SECOND = 1_000
/** More proxies than this stand in front of nobody. */
const PROXY_HOPS_MAX = 10
const SECRET_KEY_CHARS_MIN = 16
const METRICS_TOKEN_CHARS_MIN = 16
const HOST_NAME = /^(?!-)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/i
const PREFIX_BITS_MAX: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

/** The environment is not usable; `problems` has one sentence per variable, each naming it and what it should be. */
export class ConfigError extends Error {
  readonly problems: string[]

  constructor(problems: string[], options?: ErrorOptions) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`, options)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Reads and checks every variable; throws one ConfigError that lists all problems. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const problems: string[] = []
  const variables = new Variables(env, problems)
  const telcoBaseUrl = variables.providerUrl('TELCO_BASE_URL')
  const voiceaiBaseUrl = variables.providerUrl('VOICEAI_BASE_URL')
  // Plain http is to this machine only. One of them may be a proxy beside a real provider; where both are, they are emulators, and
  // the provider that people sign in with is here too.
  const isTrial = [telcoBaseUrl, voiceaiBaseUrl].every((url) => url?.startsWith('http:') === true)
  const dataDir = path.resolve(variables.text('DATA_DIR') ?? './data')
  const config: Config = {
    host: variables.host('HOST') ?? '127.0.0.1',
    port: variables.integer('PORT', { fallback: 8080, min: 0, max: PORT_MAX }),
    dataDir,
    mediaDir: path.resolve(variables.text('MEDIA_DIR') ?? path.join(dataDir, 'media')),
    databaseUrl: variables.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databasePool: variables.integer('DATABASE_POOL', { fallback: 10, min: 2, max: POOL_MAX }),
    apiUrl: variables.url('API_URL', ['https:', 'http:'])?.replace(/\/+$/, ''),
    trustProxy: variables.proxies('TRUST_PROXY'),
    logLevel: variables.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    secretKey: variables.secret('SECRET_KEY', SECRET_KEY_CHARS_MIN),
    oldSecretKey: variables.text('SECRET_KEY_OLD'),
    metricsToken: variables.secret('METRICS_TOKEN', METRICS_TOKEN_CHARS_MIN),
    worker: variables.oneOf('WORKER', ['on', 'off'] as const, 'on') === 'on',
    page: variables.oneOf('PAGE', ['on', 'off'] as const, 'on') === 'on',
    localIssuer: variables.oneOf('SSO_LOCAL_ISSUER', ['on', 'off'] as const, isTrial ? 'on' : 'off') === 'on',
    voiceaiBaseUrl: voiceaiBaseUrl ?? 'https://api.elevenlabs.io',
    telcoBaseUrl,
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** Variables that every program of a system needs. Ours are none of them: they hold secrets. */
const OF_THE_SYSTEM = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'NODE_DISABLE_COMPILE_CACHE']

/** The environment of a program that has nothing to do with our configuration. */
export function systemEnvironment(env: Record<string, string | undefined> = process.env): Record<string, string> {
  return Object.fromEntries(
    OF_THE_SYSTEM.flatMap((name) => {
      const value = env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** When the command was given, in milliseconds since 1970, as `bin/connect` tells; installing may have come since. */
export function commandStartedAtMs(env: Record<string, string | undefined> = process.env): number {
  const seconds = Number(env.CONNECT_COMMAND_AT)
  return seconds > 0 ? seconds * MS_PER_SECOND : performance.timeOrigin
}

/** Collects one sentence per bad variable; never repeats a value that may be a secret. */
class Variables {
  readonly #env: Record<string, string | undefined>
  readonly #problems: string[]

  constructor(env: Record<string, string | undefined>, problems: string[]) {
    this.#env = env
    this.#problems = problems
  }

  text(name: string): string | undefined {
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  host(name: string): string | undefined {
    const value = this.text(name)
    if (value === undefined || isIP(value) !== 0 || HOST_NAME.test(value)) return value
    this.#problems.push(`${name} is "${value}"; it should be an address or a host name to listen on, such as 0.0.0.0.`)
    return undefined
  }

  integer(name: string, { fallback, min, max }: { fallback: number; min: number; max: number }): number {
    const value = this.text(name)
    if (value === undefined) return fallback
    const number = Number(value)
    if (/^\d+$/.test(value) && number >= min && number <= max) return number
    this.#problems.push(`${name} is "${value}"; it should be a whole number from ${min} to ${max}.`)
    return fallback
  }

  oneOf<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
    const value = this.text(name)?.toLowerCase()
    if (value === undefined) return fallback
    const choice = choices.find((each) => each === value)
    if (choice !== undefined) return choice
    this.#problems.push(`${name} is "${value}"; it should be one of ${choices.join(', ')}.`)
    return fallback
  }

  url(name: string, protocols: string[]): string | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value
    // A database address may carry a password, so the value itself is not repeated.
    const begins = protocols.map((each) => `${each}//`).join(' or ')
    const hint = protocols.some((each) => value.startsWith(`${each}//`))
      ? '; what is no letter or digit in its password is written as %2F and alike'
      : ''
    this.#problems.push(`${name} should be an address that starts with ${begins}${hint}`)
    return undefined
  }

  providerUrl(name: string): string | undefined {
    const value = this.url(name, ['https:', 'http:'])
    if (value === undefined) return undefined
    const { protocol, hostname } = new URL(value)
    const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
    if (protocol === 'https:' || isLoopback) return value.replace(/\/+$/, '')
    this.#problems.push(`${name} should start with https://; plain http is allowed to this machine only.`)
    return undefined
  }

  secret(name: string, charsMin: number): string | undefined {
    const value = this.text(name)
    if (value === undefined || value.length >= charsMin) return value
    this.#problems.push(`${name} is too short; it should have at least ${charsMin} characters.`)
    return undefined
  }

  proxies(name: string): false | number | string[] {
    const value = this.text(name)
    if (value === undefined || value === 'off' || value === 'false') return false
    const hops = /^\d{1,2}$/.test(value) ? Number(value) : 0
    if (hops >= 1 && hops <= PROXY_HOPS_MAX) return hops
    const addresses = value.split(',').map((each) => each.trim())
    if (addresses.every(isAddressOrNetwork)) return addresses
    const why = ['on', 'true'].includes(value.toLowerCase())
      ? 'is "on", which believes what anybody claims; it'
      : `is "${value}"; it`
    this.#problems.push(
      `${name} ${why} should be the number of proxies in front (1 to ${PROXY_HOPS_MAX}), a comma-separated list of their addresses or networks, or off.`,
    )
    return false
  }
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const bitsMax = PREFIX_BITS_MAX[isIP(address)]
  if (bitsMax === undefined || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax)
}
