/** Sizes of files for people: `bytes(1536)` is `1.5 kB` in English. */
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

export function bytes(size: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(size, 1)) / 3))
  const shown = new Intl.NumberFormat(undefined, { style: 'unit', unit: UNITS[power]!, maximumFractionDigits: 1 })
  return shown.format(size / 1_000 ** power)
}
