import { Refusal } from '../../errors.ts'
import { isPhoneCountry } from '../../phone.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Extension } from '../../platform/model/extend.ts'
import { char, integer } from '../../platform/model/fields.ts'
import type { Values } from '../../platform/model/model.ts'
import { type ReadOf, setting } from '../../platform/settings/setting.ts'
import { plainText } from '../../written-number.ts'

const A_DAY_MAX = 1_000_000
const PREFIXES_CHARS_MAX = 1_000
const COUNTRIES_CHARS_MAX = 800
const SEPARATOR = /[\s,;]+/
/** What people write between digits. */
const BETWEEN_DIGITS = /[().\-/]/g
/** A 0 for those who dial within the country. */
const ZERO_IN_BRACKETS = '(0)'
/** A calling code, and what may come after it. */
const PREFIX = /^\+[1-9]\d{1,13}$/

/**
 * Numbers that earn somebody money when they are called, and satellites. Of no country, by ITU-T's "List of Recommendation
 * E.164 assigned country codes": +870 Inmarsat, +878 personal numbers, +881 satellite systems, +882 and +883 international
 * networks, +979 premium rate (+800 is free, +808 shares the cost of an ordinary call). Of a country, whatever has the type
 * "premium rate" in the metadata of Google's libphonenumber, as in the npm package libphonenumber-js 1.13 (`metadata.max.json`):
 * North America, Switzerland, Germany (its 0137 votes too), Austria, the United Kingdom. No number of another type begins so there.
 */
const BARRED_PREFIXES_DEFAULT =
  '+870 +878 +881 +882 +883 +979 +1900 +41900 +41901 +41906 +49900 +491377 +491378 +491379 +43900 +43901 +43930 +43931 +449'

/** What a stolen key, a hijacked phone or a mistake can cost in a day. */
const outgoingSettings = {
  barred_prefixes: setting(
    'barredPrefixes',
    char('Blocked numbers', {
      default: BARRED_PREFIXES_DEFAULT,
      maxLength: PREFIXES_CHARS_MAX,
      help: 'The first digits, such as +1900 +881.',
    }),
    { read: (written) => prefixesOf(written) },
  ),
  mobile_countries: setting(
    'mobileCountries',
    char('Countries of mobiles', {
      maxLength: COUNTRIES_CHARS_MAX,
      help: "Where people's own mobiles may be called, such as CH DE. Leave empty for your own country.",
    }),
    { read: (written) => wordsOf(written).map((each) => each.toUpperCase()) },
  ),
  calls_a_day: limit('callsADay', 'Outgoing calls per day', 2_000),
  calls_a_day_of_user: limit('callsADayOfUser', 'Outgoing calls per day and person', 300),
  messages_a_day: limit('messagesADay', 'Sent messages per day', 5_000),
  messages_a_day_of_user: limit('messagesADayOfUser', 'Sent messages per day and person', 1_000),
}

function limit<Name extends string>(name: Name, label: string, usual: number) {
  const help = 'Counts from midnight UTC. Leave empty for no limit.'
  return setting(name, integer(label, { default: usual, min: 0, max: A_DAY_MAX, help }), { read: (most) => most ?? 0 })
}

/** The prefixes in a text; what is none is left out. */
function prefixesOf(written: string | null | undefined): readonly string[] {
  return digitsOf(written).filter((each) => PREFIX.test(each))
}

/** The digits of each prefix; also without a 0 in brackets, which most countries leave out from abroad, and Italy does not. */
function digitsOf(written: string | null | undefined): readonly string[] {
  return wordsOf(written)
    .flatMap((each) => [...new Set([each.replace(ZERO_IN_BRACKETS, ''), each])])
    .map((each) => each.replaceAll(BETWEEN_DIGITS, ''))
}

function wordsOf(written: string | null | undefined): readonly string[] {
  return plainText(written ?? '')
    .split(SEPARATOR)
    .filter((each) => each !== '')
}

/** Whether a text is a list of prefixes. */
function isPrefixList(written: string): boolean {
  return digitsOf(written).every((each) => PREFIX.test(each))
}

/** Refuses what is no list of prefixes, which would bar nothing, and what is no list of countries, which would allow nothing. */
function requireLists(_env: Env, values: Values): Values {
  const { barred_prefixes: prefixes, mobile_countries: countries } = values
  if (typeof prefixes === 'string' && !isPrefixList(prefixes)) throw new Refusal('refused', 'settings-barred-prefixes')
  const unknown = typeof countries === 'string' ? wordsOf(countries).find((each) => !isPhoneCountry(each)) : undefined
  if (unknown !== undefined) throw new Refusal('refused', 'settings-mobile-countries', { country: unknown })
  return values
}

/** These, and what is refused of them. */
export const outgoingLimits: Extension = { fields: outgoingSettings, prepare: requireLists }

declare module '../../platform/settings/settings.ts' {
  interface SettingsSnapshot extends ReadOf<typeof outgoingSettings> {}
}
