import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Configuration, Provider } from 'oidc-provider'

export const CLIENT_ID = 'connect'
export const CLIENT_SECRET = 'a secret of the client that nobody guesses'

/** Whom the provider knows, by the name that they type there. */
export interface Account {
  subject: string
  email?: string
  isVerified?: boolean
  name?: string
  groups?: readonly string[]
}

/** A real OpenID provider on this machine: anyone who types a name of `accounts` there is let in. */
export class OpenIdProvider {
  readonly accounts = new Map<string, Account>()
  readonly issuer: string
  /** Publishes keys of which none has signed its tokens. */
  keysOfAnother = false
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** `origins` are those of the services that may send browsers here. */
  static async start(origins: () => readonly string[]): Promise<OpenIdProvider> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const own = new OpenIdProvider(server)
    const provider = new Provider(own.issuer, own.#configuration(origins()))
    const handle = provider.callback()
    server.on('request', (request, response) => {
      if (!own.keysOfAnother || request.url !== '/jwks') return void handle(request, response)
      const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
      const key = { ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [key] }))
    })
    return own
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #configuration(origins: readonly string[]): Configuration {
    return {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: origins.map((origin) => `${origin}/api/sso/callback`),
        },
      ],
      cookies: { keys: ['a key of the tests'] },
      pkce: { required: () => true },
      conformIdTokenClaims: false,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      features: { devInteractions: { enabled: true } },
      findAccount: (_context, name) => {
        const { subject = name, email, isVerified = true, name: full, groups } = this.accounts.get(name) ?? {}
        return {
          accountId: name,
          claims: () => ({
            sub: subject,
            ...(email === undefined ? {} : { email, email_verified: isVerified }),
            ...(full === undefined ? {} : { name: full }),
            ...(groups === undefined ? {} : { groups: [...groups] }),
          }),
        }
      },
    }
  }
}

/** A browser that keeps cookies and follows addresses, as far as a sign-in needs it. */
export class Wanderer {
  readonly #cookies = new Map<string, Map<string, string>>()

  /** Asks one address, and says where it leads. */
  async ask(address: string, form?: Record<string, string>): Promise<{ status: number; text: string; next?: string }> {
    const url = new URL(address)
    const jar = this.#cookies.get(url.host) ?? new Map<string, string>()
    this.#cookies.set(url.host, jar)
    const reply = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    const location = reply.headers.get('location')
    const next = location === null ? {} : { next: new URL(location, url).href }
    return { status: reply.status, text: await reply.text(), ...next }
  }

  cookie(address: string, name: string): string | undefined {
    return this.#cookies.get(new URL(address).host)?.get(name)
  }

  /** Goes through the provider as the account of that name, up to the address that leads back to the service. */
  async throughProvider(start: string, name: string, service: string): Promise<string> {
    let { next } = await this.ask(start)
    for (let steps = 0; steps < 20 && next !== undefined; steps += 1) {
      if (next.startsWith(service)) return next
      const page = await this.ask(next)
      const [, action] = /<form[^>]*action="([^"]+)"/.exec(page.text) ?? []
      if (page.next !== undefined || action === undefined) {
        next = page.next
        continue
      }
      const prompt = page.text.includes('name="login"')
        ? { prompt: 'login', login: name, password: 'x' }
        : { prompt: 'consent' }
      next = (await this.ask(new URL(action, next).href, prompt)).next
    }
    throw new Error(`the provider does not lead back to ${service}`)
  }
}
