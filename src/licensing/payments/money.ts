/** Formats amounts for people. */

/** Decimal places of a currency: two for EUR, none for JPY (ISO 4217). */
function digitsOf(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  return maximumFractionDigits ?? 2
}

/** `-1234.50 EUR`. @param amount in minor units */
export function formatAmount(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  const whole = String(Math.abs(amount)).padStart(digits + 1, '0')
  const sign = amount < 0 ? '-' : ''
  const point = digits === 0 ? '' : `.${whole.slice(-digits)}`
  return `${sign}${digits === 0 ? whole : whole.slice(0, -digits)}${point} ${currency}`
}
