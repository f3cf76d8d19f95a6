import { newSid } from './sids.ts'
import { Store, type WireRecord } from './store.ts'

/** Everything of an account that outlasts a restart; calls, messages and recordings do not. */
export interface AccountSnapshot {
  readonly accountSid: string
  readonly authToken: string
  readonly apiKeys: Readonly<Record<string, string>>
  readonly records: Readonly<Record<string, readonly WireRecord[]>>
}

const LASTING = [
  'numbers',
  'callerIds',
  'domains',
  'credentialLists',
  'credentials',
  'callMappings',
  'registrationMappings',
  'applications',
  'senders',
  'contents',
  'numberRegions',
  'addresses',
  'bundles',
] as const

/** What the account's owner holds at the provider; the parts that calls are routed by. */
export class Account {
  readonly sid: string
  readonly authToken: string
  /** API keys: key id and its secret. */
  readonly apiKeys: Map<string, string>
  balance = '12.30'

  readonly numbers = new Store()
  readonly callerIds = new Store()
  readonly domains = new Store()
  readonly credentialLists = new Store()
  readonly credentials = new Store()
  /** For calls, `domain:list`. */
  readonly callMappings = new Store()
  /** For registration. */
  readonly registrationMappings = new Store()
  readonly applications = new Store()
  readonly recordings = new Store()
  readonly messages = new Store()
  readonly media = new Store()
  readonly senders = new Store()
  readonly contents = new Store()
  readonly numberRegions = new Store()
  readonly addresses = new Store()
  /** Papers for numbers, with the country and the kind of numbers that they are for. */
  readonly bundles = new Store()

  constructor(options: { accountSid?: string; authToken?: string; apiKeys?: Readonly<Record<string, string>> } = {}) {
    this.sid = options.accountSid ?? newSid('AC')
    this.authToken = options.authToken ?? newSid('AC').slice(2)
    this.apiKeys = new Map(Object.entries(options.apiKeys ?? {}))
  }

  snapshot(): AccountSnapshot {
    return {
      accountSid: this.sid,
      authToken: this.authToken,
      apiKeys: Object.fromEntries(this.apiKeys),
      records: Object.fromEntries(LASTING.map((name) => [name, this[name].list()])),
    }
  }

  restore({ records }: AccountSnapshot): void {
    for (const name of LASTING) this[name].restore(records[name] ?? [])
  }

  /** Whether a call may show this number: bought here, or verified. */
  ownsCallerId(number: string): boolean {
    const isIt = (record: WireRecord): boolean => record.phone_number === number
    return this.numbers.list().some(isIt) || this.callerIds.list().some(isIt)
  }
}
