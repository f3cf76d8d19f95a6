import { useQuery } from '@tanstack/react-query'
import { call } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import type { Methods } from '../data/models.gen.ts'
import { money } from '../words/money.ts'
import { currentLanguage, reader } from '../words/words.ts'

export const NUMBERS = 'connect.telco.number'
/** Where the account's addresses and papers are entered. */
export const TWILIO_PAPERS = 'https://console.twilio.com/us1/develop/phone-numbers/regulatory-compliance/bundles'
export const TWILIO_ADDRESSES = 'https://console.twilio.com/us1/develop/phone-numbers/manage/addresses'

type Own = Methods[typeof NUMBERS]
export type NumberSearch = Omit<Own['search_available']['args'], 'ids'>
type Found = Own['search_available']['result']
type Monthly = NonNullable<Found['monthly']>

/** A number as it was found, with what was asked for. */
export interface Offered extends Pick<NumberSearch, 'country' | 'kind'> {
  number: Found['numbers'][number]
  monthly: Found['monthly']
}

export function useCountriesOfNumbers() {
  return useQuery(
    asks({ queryKey: keyOf(NUMBERS, 'purchase-countries'), queryFn: () => call(NUMBERS, 'purchase_countries', {}) }),
  )
}

/** What is for sale; nothing before somebody searches. */
export function useNumbersForSale(search: NumberSearch | undefined) {
  return useQuery({
    ...asks({
      queryKey: keyOf(NUMBERS, 'for-sale', search),
      queryFn: () => call(NUMBERS, 'search_available', search ?? { country: '', kind: 'local' }),
    }),
    enabled: search !== undefined,
    refetchOnWindowFocus: false,
  })
}

/** What the country wants of who buys, and what the account has of it. */
export function usePapers({ country, kind }: Pick<Offered, 'country' | 'kind'>) {
  return useQuery(
    asks({
      queryKey: keyOf(NUMBERS, 'purchase-papers', country, kind),
      queryFn: () => call(NUMBERS, 'purchase_papers', { country, kind }),
    }),
  )
}

/** `$1.15`, in the reader's language. */
export function priceOf({ amount, currency }: Monthly): string {
  return money(Number(amount), currency, reader().language)
}

/** The name of a country in the reader's language. */
export function countryName(code: string): string {
  return new Intl.DisplayNames([currentLanguage()], { type: 'region' }).of(code) ?? code
}
