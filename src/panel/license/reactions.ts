import { reaction } from '#kernel/jobs/reaction'
import { recurringJob } from '#kernel/jobs/recurring-job'
import { timer } from '#kernel/jobs/timer'
import { accountsWith } from '../access/account-rights.ts'
import { recipientOf } from '../access/mail-recipient.ts'
import { panelLicense } from './decider.ts'
import { panelLicenseEvents } from './events.ts'
import { maintainLicense } from './lifecycle.ts'
import { licenseStore } from './store.ts'

const DUE = 'SELECT least(ask_at, look_at) AS at FROM telemetry.panel_license WHERE least(ask_at, look_at) <= $1'
const NEVER = 'UPDATE telemetry.panel_license SET ask_at = NULL, look_at = NULL'

/** Sends heartbeats, and records state changes while none is answered. */
export const licenseHeartbeats = timer('panel-license', {
  outside: true,
  async due({ telemetry, until }) {
    const { rows } = await telemetry.query<{ at: string }>(DUE, [until.toISOString()])
    return rows.map(({ at }) => ({ key: 'license', at }))
  },
  async run(_due, { service, run, now, telemetry }) {
    const own = service(licenseStore)
    // A later start with a licensing service schedules the contacts again.
    await (own ? maintainLicense(own, run, now) : telemetry.query(NEVER))
  },
})

const HOUR_MS = 3_600_000

/** The stream records each reminder, so that repeated or parallel runs send it once. */
export const remindOfGrace = recurringJob('license-grace', HOUR_MS, async ({ run }) => {
  await run((unit) => unit.decide(panelLicense, undefined, 'RemindOfGrace', {}))
})

/** The panel adds a notification too. If the installation sends no mail, that is the only message. */
export const mailGraceReminder = reaction('license-grace-mails', {
  outside: true,
  on: [panelLicenseEvents.LicenseGraceReminded],
  async run({ data: { licenseId, plan, graceUntil, days } }, work) {
    const within = days === 1 ? 'a day' : `${days} days`
    for (const userId of await accountsWith(work.read, 'license:view')) {
      const user = await recipientOf(work, userId, 'LICENSE')
      if (!user) continue
      const mail = {
        to: user.email,
        subject: `The grace period of your panel’s license ends within ${within}`,
        text:
          `The license ${licenseId} (plan ${plan}) of the panel ${work.baseUrl} is in its grace period, ` +
          `which ends on ${graceUntil}.\n\n` +
          'After that, the panel creates nothing beyond the limits of the free tier. ' +
          'Existing objects and sign-ins continue to work.\n\n' +
          'Renew the license, or restore the connection to the licensing service. ' +
          'Then revalidate the license on the license page.\n',
      }
      await work.mail(mail, `mail-${userId}`)
    }
  },
})
