/** Amounts of money as a person reads them; all of it pure, with the language handed in. */

/** A minute of a call, and a conversation, cost parts of a cent. */
const DIGITS_MAX = 4

/** `$1.15`, and `1,15 $` in German; a currency that nobody knows stands behind its number. */
export function money(amount: number, currency: string, language: string): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: DIGITS_MAX }
  if (!/^[A-Z]{3}$/i.test(currency)) return `${amount.toLocaleString(language, digits)} ${currency}`.trim()
  return amount.toLocaleString(language, { ...digits, style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
}

/** What the service writes as `$12.30 USD` or `CHF 12.30`, as a person reads it; anything else stays. */
export function moneyIn(text: string, language: string): string {
  const [amount] = /\d[\d,]*(?:\.\d+)?/.exec(text) ?? []
  const [currency] = /\b[A-Z]{3}\b/.exec(text) ?? []
  if (amount === undefined || currency === undefined) return text
  return money(Number(amount.replaceAll(',', '')) * (text.startsWith('-') ? -1 : 1), currency, language)
}
