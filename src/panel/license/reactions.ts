import { recurringJob } from '#kernel/jobs/recurring-job'
import { reaction } from '#kernel/jobs/reaction'
import { timer } from '#kernel/jobs/timer'
import { maintainLicense } from './lifecycle.ts'
import { licenseViewers } from './viewers.ts'
import { licenseStore } from './store.ts'
import { recipientOf } from '../access/mail-recipient.ts'
import { panelLicense } from './decider.ts'
import { LicenseGraceReminded } from './events.ts'

const DUE = 'SELECT least(ask_at, look_at) AS at FROM telemetry.panel_license WHERE least(ask_at, look_at) <= $1'
const NEVER = 'UPDATE telemetry.panel_license SET ask_at = NULL, look_at = NULL'

/** Heartbeats, and what becomes of a license while none is answered. */
export const licenseHeartbeats = timer('panel-license', {
  outside: true,
  async due({ telemetry, until }) {
    const { rows } = await telemetry.query<{ at: string }>(DUE, [until.toISOString()])
    return rows.map(({ at }) => ({ key: 'license', at }))
  },
  async run(_due, { service, run, now, telemetry }) {
    const own = service(licenseStore)
    // Who is told of a licensing service again begins anew at that start.
    await (own ? maintainLicense(own, run, now) : telemetry.query(NEVER))
  },
})

const HOUR_MS = 3_600_000

/** What was reminded of is in the stream: once each, whoever looks and however often. */
export const remindOfGrace = recurringJob('license-grace', HOUR_MS, async ({ run }) => {
  await run((unit) => unit.decide(panelLicense, undefined, 'RemindOfGrace', {}))
})

/** Told in the panel as well, where that is all that is sent. */
export const mailGraceReminder = reaction('license-grace-mails', {
  outside: true,
  on: [LicenseGraceReminded],
  async run({ data: { licenseId, plan, graceUntil, days } }, work) {
    const within = days === 1 ? 'a day' : `${days} days`
    for (const userId of await licenseViewers(work.read)) {
      const user = await recipientOf(work, userId, 'LICENSE')
      if (!user) continue
      const mail = {
        to: user.email,
        subject: `The grace of your panel’s license ends within ${within}`,
        text:
          `The license ${licenseId} (plan ${plan}) of the panel ${work.baseUrl} is in its grace, which ends on ${graceUntil}.\n\n` +
          'From then on the panel makes nothing new beyond the free tier. What there is stays and can be used, and sign-ins go on.\n\n' +
          'Renew the license, or let the panel reach its licensing service again, and have it asked anew on the license page.\n',
      }
      await work.mail(mail, `mail-${userId}`)
    }
  },
})
