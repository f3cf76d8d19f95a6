import { type Static, Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { asError, Refusal } from '../../errors.ts'
import { withLease } from '../../jobs/lease.ts'
import { elevated, type OpenEnv } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { type OutsideMethod, outsideMethod } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { ProviderRefused } from '../../ports/telco-client.ts'
import type { PlainCode } from '../../refusals.ts'
import { createOrFind, forPerson } from '../../sync/push.ts'
import { requestRun } from '../../sync/requests.ts'
import { showMoney } from '../account/money.ts'
import { readWebhookBase } from '../applications/webhook-url.ts'
import type { ProviderNumber } from '../client/incoming-numbers.ts'
import type { AddressWant } from '../client/number-market.ts'
import { requireReady } from '../sync/readiness.ts'
import { pushesOnSave, TELCO, type TelcoParts } from '../sync/telco.ts'
import { Country, Kind, Money, soldThere } from './find-numbers.ts'
import { numberModel } from './number.ts'
import { newNumberConfig } from './number-addresses.ts'

const MODEL = numberModel.name

const Args = Type.Object({
  number: Type.String({ pattern: '^\\+\\d{7,15}$' }),
  country: Country,
  kind: Kind,
  monthly: Type.Object(Money.properties, { description: 'The price that was shown.' }),
  address_sid: Type.Optional(Type.Union([Type.String({ pattern: '^AD[0-9a-fA-F]{32}$' }), Type.Null()])),
  bundle_sid: Type.Optional(Type.Union([Type.String({ pattern: '^BU[0-9a-fA-F]{32}$' }), Type.Null()])),
})
type Wanted = Static<typeof Args>

/** What the provider's numbers of errors mean to who buys (https://www.twilio.com/docs/api/errors). */
const REFUSED: Readonly<Record<string, PlainCode>> = {
  '10002': 'trial-account-numbers',
  '21421': 'number-not-for-sale',
  '21422': 'number-not-for-sale',
  '21452': 'number-not-for-sale',
  '21613': 'number-wants-address',
  '21631': 'number-wants-address',
  '21649': 'number-wants-approved-papers',
}
const WANTED_ADDRESS = {
  any: 'number-wants-address',
  local: 'number-wants-local-address',
  foreign: 'number-wants-foreign-address',
} as const

/**
 * Buys a number at the provider, with the addresses of this service from its first call on, and stores it. Who presses twice, or again
 * after an answer that was lost, gets the number that was bought: the account is looked at before anything is bought.
 */
export function buyMethod(parts: TelcoParts): OutsideMethod {
  return outsideMethod({
    label: 'Buy a number',
    operation: 'create',
    groups: [GROUP.connectAdmin],
    args: Args,
    reply: Type.Object({
      id: Type.Integer(),
      number: Type.String(),
      is_new: Type.Boolean({ description: 'False where the account had it already.' }),
    }),
    runOutside: (open, _ids, wanted) => forPerson(TELCO, () => buyOnce(parts, open, wanted)),
  })
}

function buyOnce(parts: TelcoParts, open: OpenEnv, wanted: Wanted) {
  const { number } = wanted
  return withLease(parts.db, `${TELCO.area} buy ${number}`, async () => {
    await open(async ({ settings }) => requireReady(settings))
    const owned = await findOwned(parts, number)
    const bought = owned ?? (await buy(parts, open, wanted))
    const id = await store(open, bought)
    await showAsCallerId(parts, open)
    return { id, number, is_new: owned === undefined }
  })
}

async function findOwned({ account }: TelcoParts, number: string): Promise<ProviderNumber | undefined> {
  return (await account.numbers.list({ number })).find((each) => each.number === number)
}

async function buy(parts: TelcoParts, open: OpenEnv, wanted: Wanted): Promise<ProviderNumber> {
  await requireBuyable(parts, wanted)
  const config = newNumberConfig(await open((env) => readWebhookBase(env)))
  const { number, address_sid: addressSid, bundle_sid: bundleSid } = wanted
  const papers = { ...(addressSid ? { addressSid } : {}), ...(bundleSid ? { bundleSid } : {}) }
  try {
    return await createOrFind(
      TELCO,
      () => parts.account.market.buy(number, { config, ...papers }),
      // Where it cannot be looked for either, the first trouble is what is told: it may have been bought.
      () => findOwned(parts, number).catch(() => undefined),
    )
  } catch (error) {
    const code = error instanceof ProviderRefused ? REFUSED[error.providerCode ?? ''] : undefined
    if (code === undefined) throw error
    throw new Refusal('refused', code, undefined, { cause: error })
  }
}

/** Whatever would be refused, or cost more than was shown, is said before anything is bought. */
async function requireBuyable({ account: { market } }: TelcoParts, wanted: Wanted): Promise<void> {
  const { number, monthly } = wanted
  const [found, price, papers] = await Promise.all([
    soldThere(() => market.search({ country: wanted.country, kind: wanted.kind, contains: number })),
    market.fetchPrice(wanted),
    market.wantedPapers(wanted),
  ])
  const offer = found.find((each) => each.number === number)
  if (offer === undefined) throw new Refusal('conflict', 'number-not-for-sale')
  if (price === undefined) throw new Refusal('refused', 'number-price-unknown')
  const isSame = price.currency === monthly.currency && Number(price.amount) === Number(monthly.amount)
  if (!isSame) throw new Refusal('conflict', 'number-price-changed', { price: showMoney(price) })
  if (offer.address !== 'none' || wanted.address_sid) await requireAddress(market, wanted, offer.address)
  if (papers.length === 0) return
  const bundles = wanted.bundle_sid ? await market.bundles(wanted) : []
  if (bundles.some(({ sid }) => sid === wanted.bundle_sid)) return
  throw new Refusal('refused', 'number-wants-papers', { papers: papers.join(', ') })
}

async function requireAddress(
  market: TelcoParts['account']['market'],
  { country, address_sid: sid }: Wanted,
  want: AddressWant,
): Promise<void> {
  const address = sid ? (await market.addresses()).find((each) => each.sid === sid) : undefined
  const isThere = address?.country === country
  const isFitting = want === 'none' || want === 'any' || isThere === (want === 'local')
  if (address !== undefined && isFitting) return
  throw new Refusal('refused', want === 'none' ? WANTED_ADDRESS.any : WANTED_ADDRESS[want])
}

/** The record of a number that the account has; a synchronisation may have brought it meanwhile. */
async function store(open: OpenEnv, bought: ProviderNumber): Promise<number> {
  const link = (mayCreate: boolean): Promise<number | undefined> =>
    open(async (env) => {
      const { sid, number } = bought
      const [row] = await env.db.query<{ id: number; sid: string | null }>(
        sql`select id, sid from connect_telco_number where phone_number = ${number}`,
      )
      // Elevated: what the provider knows it by is for nobody to write by hand.
      const numbers = records(elevated(env), MODEL)
      if (row === undefined) return mayCreate ? (await numbers.create([{ phone_number: number, sid }]))[0] : undefined
      if (row.sid !== sid) await numbers.write([row.id], { sid })
      return row.id
    })
  try {
    return (await link(true)) ?? 0
  } catch (error) {
    const id = await link(false)
    if (id === undefined) throw error
    return id
  }
}

/** A number that was bought can be shown to who is called, as soon as the list of caller IDs is read again. */
async function showAsCallerId({ platform }: TelcoParts, open: OpenEnv): Promise<void> {
  try {
    await open(async (env) => {
      if (await pushesOnSave(env)) await requestRun(env, TELCO, 'caller_ids')
    })
  } catch (error) {
    // The number is bought; the next synchronisation lists it too.
    platform.log.info({ err: asError(error) }, 'the caller IDs are read by another run')
  }
}
