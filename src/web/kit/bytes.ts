/** Sizes of files for people: `bytes(1536)` is `1.5 kB` in English. */
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

export function bytes(size: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(size, 1)) / 3))
  const shown = new Intl.NumberFormat(undefined, { style: 'unit', unit: UNITS[power]!, maximumFractionDigits: 1 })
  return shown.format(size / 1_000 ** power)
}

const MIB_A_GIB = 1_024
export const MIB = 1_048_576

/** Memory and disks of hosts, whose amounts the API tells in MiB: `gibibytes(1536)` is `1.5 GiB`. */
export const gibibytes = (mib: number): string =>
  mib < MIB_A_GIB ? `${Math.round(mib)} MiB` : `${Number((mib / MIB_A_GIB).toFixed(1))} GiB`
