/** An amount with the sign of its currency, where it has one, and its code. */
export function showMoney({ amount, currency }: { amount: string; currency: string }): string {
  const code = currency.trim().toUpperCase()
  if (!/^[A-Z]{3}$/.test(code) || amount.trim() === '' || Number.isNaN(Number(amount)))
    return `${amount} ${code}`.trim()
  const style = { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' } as const
  const shown = new Intl.NumberFormat('en-US', style).format(Number(amount))
  return shown.includes(code) ? shown : `${shown} ${code}`
}
