/** Amounts of money. The API sends minor units as integers; they are never turned into fractions. */

const USUAL_DIGITS = 2
/** The runtime throws for another text, such as one that is half typed; the service refuses it. */
const CURRENCY = /^[A-Z]{3}$/i

/** Currencies whose minor unit is not a hundredth (ISO 4217), as far as the runtime knows them. */
function digitsOf(currency: string): number {
  if (!CURRENCY.test(currency)) return USUAL_DIGITS
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  return maximumFractionDigits ?? USUAL_DIGITS
}

/** The amount as decimal digits: `minorToDecimal(1205, 'EUR')` is `12.05`. */
export function minorToDecimal(minor: number, currency: string): string {
  const digits = digitsOf(currency)
  const [sign, whole] = minor < 0 ? ['-', String(-minor)] : ['', String(minor)]
  if (digits === 0) return `${sign}${whole}`
  const padded = whole.padStart(digits + 1, '0')
  return `${sign}${padded.slice(0, -digits)}.${padded.slice(-digits)}`
}

/** @returns undefined for a text that is no amount of this currency */
export function decimalToMinor(text: string, currency: string): number | undefined {
  const digits = digitsOf(currency)
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d{1,15})(?:[.,](\d*))?$/.exec(text.trim()) ?? []
  if (whole === undefined || fraction.length > digits) return undefined
  const minor = Number(`${sign}${whole}${fraction.padEnd(digits, '0')}`)
  return Number.isSafeInteger(minor) ? minor : undefined
}

/** For people, in their language: `money(1205, 'EUR')` is `€12.05` in English. */
export function money(minor: number, currency: string): string {
  const shown = new Intl.NumberFormat(undefined, { style: 'currency', currency })
  return shown.format(minorToDecimal(minor, currency) as `${number}`)
}
