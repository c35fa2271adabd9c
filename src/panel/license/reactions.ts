import { timer } from '#kernel/work/timer'
import { keepLicense } from '../keep-license.ts'
import { ownLicense } from '../own-license.ts'

const DUE = 'SELECT least(ask_at, look_at) AS at FROM telemetry.panel_license WHERE least(ask_at, look_at) <= $1'
const NEVER = 'UPDATE telemetry.panel_license SET ask_at = NULL, look_at = NULL'

/** Heartbeats, and what becomes of a license while none is answered. */
export const keepingLicense = timer('panel-license', {
  outside: true,
  async due({ telemetry, until }) {
    const { rows } = await telemetry.query<{ at: string }>(DUE, [until.toISOString()])
    return rows.map(({ at }) => ({ key: 'license', at }))
  },
  async run(_due, { given, run, now, telemetry }) {
    const own = given(ownLicense)
    // Who is told of a licensing service again begins anew at that start.
    await (own ? keepLicense(own, run, now) : telemetry.query(NEVER))
  },
})
