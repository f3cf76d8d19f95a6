import type { Configuration, CustomFetch } from 'openid-client'
import { fetchOutside } from '../../../fetch-outside.ts'
import { isOwnNetwork } from '../../../public-address.ts'
import type { Platform } from '../../access/env.ts'
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
  readonly #takesLocal: boolean
  #known: { key: string; until: number; opened: Promise<Configuration> } | undefined

  constructor({ clock, takesLocalIssuer = false }: Pick<Platform, 'clock' | 'takesLocalIssuer'>) {
    this.#clock = clock
    this.#takesLocal = takesLocalIssuer
  }

  /** Undefined when none is set. Throws when it cannot be reached, or is not what it should be. */
  async open({ ssoIssuer, ssoClientId, ssoClientSecret }: ProviderSettings): Promise<Configuration | undefined> {
    if (ssoIssuer === undefined || ssoClientId === undefined) return undefined
    const key = JSON.stringify([ssoIssuer, ssoClientId, ssoClientSecret])
    const now = this.#clock().getTime()
    if (this.#known?.key !== key || this.#known.until <= now) {
      const opened = discover(new URL(ssoIssuer), {
        id: ssoClientId,
        secret: ssoClientSecret,
        takesLocal: this.#takesLocal,
      })
      const known = { key, until: now + KNOWN_MS, opened }
      this.#known = known
      opened.catch(() => {
        known.until = this.#clock().getTime() + FAILED_MS
      })
    }
    return this.#known.opened
  }
}

interface Client {
  id: string
  secret: string | undefined
  takesLocal: boolean
}

async function discover(issuer: URL, { id, secret, takesLocal }: Client): Promise<Configuration> {
  const client = await loadClient()
  const isPlain = issuer.protocol === 'http:'
  const hosts = new Set([issuer.host])
  const configuration = await client.discovery(
    issuer,
    id,
    {},
    secret === undefined ? client.None() : client.ClientSecretBasic(secret),
    {
      timeout: ANSWER_SECONDS,
      // Tokens are checked by the keys of the provider too. Plain http only for one on this machine: the settings take no other.
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
      [client.customFetch]: fetchFrom(hosts, { isPlain, takesLocal }),
    },
  )
  // Some keep their tokens and keys on other hosts of theirs; they are asked there when anybody can reach them by https.
  const { token_endpoint: tokens, jwks_uri: keys } = configuration.serverMetadata()
  for (const url of [tokens, keys].flatMap((each) => (each === undefined ? [] : new URL(each)))) {
    if (!isPlain && url.protocol === 'https:' && !isOwnNetwork(url.hostname)) hosts.add(url.host)
  }
  return configuration
}

/** Asks these hosts and no other, and follows them nowhere else. */
function fetchFrom(
  hosts: ReadonlySet<string>,
  { isPlain, takesLocal }: { isPlain: boolean; takesLocal: boolean },
): CustomFetch {
  return async (address, options) => {
    const url = new URL(address)
    const isOver = url.protocol === 'https:' || (isPlain && url.protocol === 'http:')
    if (!hosts.has(url.host) || !isOver) throw new Error(`the issuer leads to ${url.host}, which is not asked`)
    const request = { ...options, redirect: 'manual' } as RequestInit
    return takesLocal ? fetch(url, request) : fetchOutside(url, request)
  }
}
