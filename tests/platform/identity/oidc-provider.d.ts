/** The part of the package that the tests use; it brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface FoundAccount {
    accountId: string
    claims(): { sub: string; [claim: string]: unknown }
  }

  export interface Configuration {
    clients: object[]
    cookies: object
    pkce: object
    conformIdTokenClaims: boolean
    claims: Record<string, string[]>
    features: object
    findAccount(context: unknown, id: string): FoundAccount
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
  }
}
