import { findRoute, type HttpReply, type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import type { Account } from '../account.ts'
import type { Carrier } from '../carrier/carrier.ts'
import type { Texting } from '../carrier/texting.ts'
import { rfc2822 } from '../dates.ts'
import { alertRoutes, keyRoutes } from './alerts.ts'
import { describedReply, type Operation, operationOf, replyMismatches, requestMismatches } from './api-description.ts'
import { applicationRoutes } from './applications.ts'
import { availableNumberRoutes } from './available-numbers.ts'
import { callerIdRoutes } from './caller-ids.ts'
import { callRoutes } from './calls.ts'
import { API_VERSION } from './classic-resource.ts'
import { contentRoutes } from './contents.ts'
import { incomingNumberRoutes } from './incoming-numbers.ts'
import { messageRoutes } from './messages.ts'
import { addressRoutes, numberPaperRoutes } from './number-papers.ts'
import { numberRegionRoutes } from './number-regions.ts'
import { recordingRoutes } from './recordings.ts'
import { badRequest, notFound, RestError, unauthorized } from './rest-error.ts'
import { senderRoutes } from './senders.ts'
import { sipCredentialRoutes } from './sip-credentials.ts'
import { sipDomainRoutes } from './sip-domains.ts'

/** The provider's REST API: what the service asks is answered as the real one would, refusals included. */
export class TelcoApi {
  readonly #carrier: Carrier
  readonly #ofAccount: readonly HttpRoute[]
  readonly #ofProducts: readonly HttpRoute[]

  constructor(carrier: Carrier, texting: Texting) {
    const { account, clock, problems } = carrier
    const parts = { account, clock, problems }
    this.#carrier = carrier
    this.#ofAccount = [
      ...applicationRoutes(parts),
      ...incomingNumberRoutes(parts),
      ...availableNumberRoutes(parts),
      ...addressRoutes(parts),
      ...callerIdRoutes(carrier),
      ...sipDomainRoutes(parts),
      ...sipCredentialRoutes(parts),
      ...callRoutes(carrier),
      ...recordingRoutes(carrier),
      ...messageRoutes(carrier, texting),
      ...keyRoutes(parts),
      { method: 'GET', path: '/Balance.json', handle: () => jsonReply(200, balanceOf(account)) },
    ]
    this.#ofProducts = [
      ...senderRoutes(parts),
      ...contentRoutes(parts),
      ...numberRegionRoutes(parts),
      ...numberPaperRoutes(parts),
      ...alertRoutes(parts),
    ]
  }

  async answer(request: HttpRequest): Promise<HttpReply> {
    try {
      return await this.#handle(request)
    } catch (error) {
      if (error instanceof RestError) return error.toReply()
      this.#carrier.problems.add({ where: 'telco', message: `${request.method} ${request.path}: ${String(error)}` })
      return new RestError(500, 20500, 'Internal Server Error').toReply()
    }
  }

  async #handle(request: HttpRequest): Promise<HttpReply> {
    const { account } = this.#carrier
    const isOwner = authenticate(account, request)
    const base = `/${API_VERSION}/Accounts/${account.sid}`
    if (request.path === `${base}.json` && request.method === 'GET') {
      // An API key may not look at the account itself.
      if (!isOwner) throw unauthorized()
      return jsonReply(200, accountRecord(account, rfc2822(this.#carrier.clock.now())))
    }
    const isOfAccount = request.path.startsWith(`${base}/`)
    const found = isOfAccount
      ? findRoute(this.#ofAccount, { method: request.method, path: request.path.slice(base.length) })
      : findRoute(this.#ofProducts, request)
    if (found === undefined) throw this.#unexpected(request)
    const operation = operationOf(request)
    if (operation !== undefined) this.#checkRequest(operation, request)
    const answered = await found.route.handle({ ...request, params: found.params })
    if (operation === undefined) return answered
    const reply = describedReply(operation, answered)
    this.#checkReply(operation, reply)
    return reply
  }

  /** Unknown names are a problem of the run, because the real API ignores them; what it would refuse is refused. */
  #checkRequest(operation: Operation, request: HttpRequest): void {
    const { unknown, wrong } = requestMismatches(operation, request)
    for (const name of unknown) {
      this.#carrier.problems.add({ where: 'telco', message: `${request.method} ${request.path} does not know ${name}` })
    }
    if (wrong.length > 0) throw badRequest(20001, wrong.join(', '))
  }

  #checkReply(operation: Operation, reply: HttpReply): void {
    for (const mismatch of replyMismatches(operation, reply)) {
      const message = `${operation.method} ${operation.path} is answered in another way than by the real one: ${mismatch}`
      this.#carrier.problems.add({ where: 'telco', message })
    }
  }

  #unexpected({ method, path }: HttpRequest): RestError {
    // Somebody else's account is an ordinary refusal; a path that nobody has is a mistake of ours.
    if (!path.startsWith(`/${API_VERSION}/Accounts/`) || path.includes(this.#carrier.account.sid)) {
      this.#carrier.problems.add({ where: 'telco', message: `${method} ${path} is not known here` })
    }
    return notFound(path)
  }
}

/** True for the account's own credentials, false for one of its keys; throws for anybody else. */
function authenticate({ sid, authToken, apiKeys }: Account, { headers }: HttpRequest): boolean {
  const [scheme = '', encoded = ''] = (headers.authorization ?? '').split(' ', 2)
  const [user = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  const password = rest.join(':')
  if (scheme.toLowerCase() === 'basic' && user === sid && password === authToken) return true
  if (scheme.toLowerCase() === 'basic' && password !== '' && apiKeys.get(user) === password) return false
  throw unauthorized()
}

function balanceOf({ sid, balance }: Account): unknown {
  return { account_sid: sid, balance, currency: 'USD' }
}

function accountRecord({ sid }: Account, date: string): unknown {
  return {
    sid,
    auth_token: 'hidden',
    date_created: date,
    date_updated: date,
    friendly_name: 'Emulated account',
    owner_account_sid: sid,
    status: 'active',
    subresource_uris: {},
    type: 'Full',
    uri: `/${API_VERSION}/Accounts/${sid}.json`,
  }
}
