import { timer } from '#kernel/work/timer'
import { keepLicense } from '../keep-license.ts'
import { ownLicense } from '../own-license.ts'

const DUE = 'SELECT least(ask_at, look_at) AS at FROM telemetry.panel_license WHERE least(ask_at, look_at) <= $1'

/** Heartbeats, and what becomes of a license while none is answered. */
export const keepingLicense = timer('panel-license', {
  outside: true,
  async due({ telemetry, until }) {
    const { rows } = await telemetry.query<{ at: string }>(DUE, [until.toISOString()])
    return rows.map(({ at }) => ({ key: 'license', at }))
  },
  async run(_due, { given, run, now }) {
    const own = given(ownLicense)
    if (own) await keepLicense(own, run, now)
  },
})
