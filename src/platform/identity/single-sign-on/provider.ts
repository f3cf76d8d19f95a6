import type { Configuration, CustomFetch } from 'openid-client'
import { isLocalHost, privateAddressProblem } from '../../../public-address.ts'
import type { SettingsSnapshot } from '../../settings/settings.ts'

/** What a provider may take to answer one request. */
const ANSWER_SECONDS = 10
/** How long what a provider says of itself counts, and how long nobody asks again after it could not be reached. */
const KNOWN_MS = 10 * 60_000
const FAILED_MS = 5_000

/** Loaded when somebody first needs it: most installations never do. */
export const loadClient = () => import('openid-client')

type ProviderSettings = Pick<SettingsSnapshot, 'ssoIssuer' | 'ssoClientId' | 'ssoClientSecret'>

/** The OpenID provider of the settings, with what it says of itself kept for a while. */
export class Provider {
  readonly #clock: () => Date
  #known: { key: string; until: number; opened: Promise<Configuration> } | undefined

  constructor(clock: () => Date) {
    this.#clock = clock
  }

  /** Undefined when none is set. Throws when it cannot be reached, or is not what it should be. */
  async open({ ssoIssuer, ssoClientId, ssoClientSecret }: ProviderSettings): Promise<Configuration | undefined> {
    if (ssoIssuer === undefined || ssoClientId === undefined) return undefined
    const key = JSON.stringify([ssoIssuer, ssoClientId, ssoClientSecret])
    const now = this.#clock().getTime()
    if (this.#known?.key !== key || this.#known.until <= now) {
      const opened = discover(new URL(ssoIssuer), ssoClientId, ssoClientSecret)
      const known = { key, until: now + KNOWN_MS, opened }
      this.#known = known
      opened.catch(() => {
        known.until = this.#clock().getTime() + FAILED_MS
      })
    }
    return this.#known.opened
  }
}

async function discover(issuer: URL, clientId: string, secret: string | undefined): Promise<Configuration> {
  const client = await loadClient()
  const isPlain = issuer.protocol === 'http:'
  const hosts = new Set([issuer.host])
  const configuration = await client.discovery(
    issuer,
    clientId,
    {},
    secret === undefined ? client.None() : client.ClientSecretBasic(secret),
    {
      timeout: ANSWER_SECONDS,
      // Only for a provider on this machine: the settings take no other without https.
      execute: isPlain ? [client.allowInsecureRequests] : [],
      [client.customFetch]: fetchFrom(hosts, isPlain),
    },
  )
  // Some keep their tokens and keys on other hosts of theirs; they are asked there when anybody can reach them by https.
  const { token_endpoint: tokens, jwks_uri: keys } = configuration.serverMetadata()
  for (const url of [tokens, keys].flatMap((each) => (each === undefined ? [] : new URL(each)))) {
    const isPublic = !isLocalHost(url.hostname) && privateAddressProblem(url.hostname) === undefined
    if (!isPlain && url.protocol === 'https:' && isPublic) hosts.add(url.host)
  }
  return configuration
}

/** Asks these hosts and no other, and follows them nowhere else. */
function fetchFrom(hosts: ReadonlySet<string>, isPlain: boolean): CustomFetch {
  return async (address, options) => {
    const url = new URL(address)
    const isOver = url.protocol === 'https:' || (isPlain && url.protocol === 'http:')
    if (!hosts.has(url.host) || !isOver) throw new Error(`the issuer leads to ${url.host}, which is not asked`)
    return fetch(url, { ...options, redirect: 'manual' } as RequestInit)
  }
}
