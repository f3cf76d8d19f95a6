import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { sql } from '../../database/drizzle.ts'
import { isCallForHelp } from '../../emergency-numbers.ts'
import { Refusal } from '../../errors.ts'
import { isOfCountries, toE164 } from '../../phone.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Check } from '../../platform/model/model.ts'
import type { SettingsSnapshot } from '../../platform/settings/settings.ts'
import { withoutPlusToo } from '../numbers/without-plus.ts'
import { isBarred } from '../outgoing/outgoing-limits.ts'

/** A mobile's own voicemail picks up after some 20 to 30 s: what rings longer reaches that more often than a person. */
export const MOBILE_RING_SECONDS = 20

/** Why a number is not called as somebody's mobile. */
export type MobileObstacle = 'emergency' | 'barred' | 'country' | 'own'

type Rules = Pick<SettingsSnapshot, 'barredPrefixes' | 'country' | 'mobileCountries'>

/**
 * Why this number may not be rung as somebody's mobile; undefined when it may. Without countries in the settings it has to be one
 * of the company's own; where that is not known either, of any.
 */
export function mobileObstacle(settings: Rules, number: string, isOurs: boolean): MobileObstacle | undefined {
  const { country, mobileCountries } = settings
  if (isCallForHelp(number, country)) return 'emergency'
  if (isBarred(settings, number) || isPremium(number)) return 'barred'
  const allowed = mobileCountries.length > 0 || country === undefined ? mobileCountries : [country]
  if (allowed.length > 0 && !isOfCountries(number, allowed)) return 'country'
  return isOurs ? 'own' : undefined
}

/** The prefixes of the settings name the premium numbers of some countries only; anyone who owns one would earn from each call of ours. */
function isPremium(number: string): boolean {
  return parsePhoneNumberFromString(number)?.getType() === 'PREMIUM_RATE'
}

/** A mobile as it is stored: with its country; what is no number stays, for the check to refuse. */
export function readMobile({ settings }: Pick<Env, 'settings'>, written: string): string | null {
  return toE164(written, settings.country) ?? (written.trim() || null)
}

/**
 * That a mobile may be called. One that stays as it is was allowed when it was entered; while it is not any more, calls pass it over.
 */
export function mobileCheck(model: string, field: string): Check {
  return {
    fields: [field],
    says: 'Must be a phone number such as +41791234567 that may be called: of an allowed country, not blocked, and not your own.',
    async require({ env, values: { [field]: number }, current }) {
      if (typeof number !== 'string' || number === current?.[field]) return
      await requireMobile(env, `${model}.${field}`, number)
    },
  }
}

async function requireMobile({ db, settings }: Env, path: string, number: string): Promise<void> {
  if (isCallForHelp(number, settings.country)) throw new Refusal('refused', 'emergency-number')
  if (toE164(number, settings.country) !== number) throw new Refusal('refused', 'mobile-is-no-number', { path })
  const ours = await db.query(
    sql`select 1 from connect_telco_number where phone_number in (${sql.join(
      withoutPlusToo([number]).map((each) => sql`${each}`),
      sql`, `,
    )}) limit 1`,
  )
  const obstacle = mobileObstacle(settings, number, ours.length > 0)
  if (obstacle !== undefined) throw refusalOf(obstacle, number)
}

function refusalOf(obstacle: MobileObstacle, number: string): Refusal {
  switch (obstacle) {
    case 'emergency':
      return new Refusal('refused', 'emergency-number')
    case 'barred':
      return new Refusal('refused', 'number-is-barred', { number })
    case 'country':
      return new Refusal('refused', 'mobile-of-other-country', { number })
    case 'own':
      return new Refusal('refused', 'mobile-is-own-number', { number })
  }
}
