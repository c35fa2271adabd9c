/** Checks all requirements of the service, and explains how to fix what is wrong. */
import type { Core } from '../composition/licensing.ts'
import { lockedAccounts } from '../kernel/auth/locked-accounts.ts'
import { constraintMismatchText } from '../kernel/events/unique-constraints.ts'
import { brokenHistoryText, verifyHistory } from '../kernel/history/verify-history.ts'
import { readBundle } from '../kernel/http/pages-bundle.ts'
import { mailSettings } from '../kernel/mail/mail-settings.ts'
import { excessPrivilegesOf } from '../kernel/store/database-login.ts'
import { pendingMigrations } from '../kernel/store/migrate.ts'
import { isStoreElsewhere } from '../kernel/store/single-history.ts'
import { installation } from './installation.ts'
import type { Installation } from './installation.ts'
import { lockedAccountsText } from './locked-accounts-text.ts'
import { logOf } from './log.ts'
import { reasonOf } from './reason.ts'
import type { ServiceProfile } from './service-profile.ts'

/** A recommendation: nothing is wrong yet. */
class Advice extends Error {}

const SKEW_MS_MAX = 2_000
const POSTGRES_MIN = 150_000

/**
 * @returns the result, for the user
 * @throws Error with the problem and its solution
 */
type DoctorCheck<Subject> = readonly [name: string, ask: (subject: Subject) => Promise<string>]

const hostChecks = ({ commandPrefix }: ServiceProfile): readonly DoctorCheck<Installation>[] => [
  [
    'migrations',
    async ({ config }) => {
      const pending = await pendingMigrations(config.databaseUrl)
      if (pending.length > 0) throw new Error(`${pending.join(', ')} not applied yet: run "${commandPrefix} migrate"`)
      return 'all applied'
    },
  ],
  [
    'pages',
    async ({ config: { pagesDir }, isEvaluation }) => {
      if (pagesDir === undefined && isEvaluation) return 'built by "daybook start"'
      if (pagesDir === undefined)
        throw new Advice('none are served: run "daybook pages DIR", and set PAGES_DIR to that directory')
      await readBundle(pagesDir).catch(() => {
        throw new Error(`${pagesDir} of PAGES_DIR holds no pages: run "daybook pages ${pagesDir}"`)
      })
      return `in ${pagesDir}`
    },
  ],
]

/** Run after the database is migrated. The queue is loaded only here, because no other check needs it. */
const WORKER_CHECKS: readonly DoctorCheck<Installation>[] = [
  [
    'queue',
    async ({ config }) => {
      const { openQueueConnection } = await import('../composition/worker.ts')
      await (await openQueueConnection(config, () => {})).close()
      return config.redisUrl === undefined ? 'in Postgres' : 'in Redis, with durable writes'
    },
  ],
]

const coreChecks = ({
  commandPrefix,
  describeKeys,
  variable,
  ownerVariable,
  unlockAdvice,
}: ServiceProfile): readonly DoctorCheck<Core>[] => [
  [
    'database',
    async ({ pool }) => {
      const { rows } = await pool.query<{ number: number; version: string }>(
        `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`,
      )
      if (rows[0]!.number < POSTGRES_MIN)
        throw new Error(`Postgres ${rows[0]!.version} is too old: 15 or newer is required`)
      return `Postgres ${rows[0]!.version}, with durable commits`
    },
  ],
  [
    'login',
    async ({ pool }) => {
      const tooMuch = await excessPrivilegesOf(pool)
      if (tooMuch === undefined) return 'not a superuser, and owns nothing'
      throw new Advice(
        `${tooMuch}: set ${ownerVariable} to the present URL of ${variable}, set ${variable} to the URL of a new login, and run "${commandPrefix} migrate", which creates that login. Then remove ${ownerVariable} from the environment of the processes`,
      )
    },
  ],
  [
    'clock',
    async ({ clock }) => {
      const skewMs = Math.round(clock.skewMs())
      if (Math.abs(skewMs) > SKEW_MS_MAX)
        throw new Error(
          `the clock of this host differs by ${skewMs} ms from the database: set both clocks with NTP (Daybook uses the time of the database)`,
        )
      return `${Math.abs(skewMs)} ms from the database's`
    },
  ],
  [
    'keys',
    async (core) => {
      await core.vault.check()
      return `the secret key is correct; ${await describeKeys(core)}`
    },
  ],
  [
    'mail',
    async ({ services }) => {
      const mail = await services(mailSettings)()
      if (!mail) return 'not sent: no mail server is set'
      if ('folder' in mail) return 'written to a folder'
      const { checkSmtpServer } = await import('../kernel/mail/smtp.ts')
      await checkSmtpServer(mail.smtp).catch((error: Error) => {
        throw new Error(
          `${error.message}: check SMTP_URL or, for a panel, the mail server that administrators have set`,
        )
      })
      return `sent to ${mail.smtp.host}`
    },
  ],
  [
    'history',
    async ({ pool, vault }) => {
      if (await isStoreElsewhere(pool)) return 'in the event store of EVENT_STORE_URL, which has no chain'
      const chain = await verifyHistory(pool, vault)
      if ('problem' in chain)
        throw new Error(
          `${brokenHistoryText(chain)}: the log was changed from outside the service. Keep a copy, restore a backup, and find out who had write access to the database`,
        )
      return `${chain.events} events, chain ${chain.hash.slice(0, 16)}…`
    },
  ],
  [
    'claims',
    async ({ pool, findConstraintMismatch }) => {
      if (await isStoreElsewhere(pool)) return 'in the event store of EVENT_STORE_URL'
      const stray = await findConstraintMismatch()
      if (stray)
        throw new Error(
          `${constraintMismatchText(stray)}: constraints or keys were changed from outside the service. Keep a copy, restore a backup, and find out who had write access to the database`,
        )
      return 'consistent with the events'
    },
  ],
  [
    'sign-ins',
    // Not a fault of the host: attackers can lock an account by guessing.
    async ({ pool }) => lockedAccountsText(await lockedAccounts(pool), unlockAdvice),
  ],
  [
    'read models',
    async ({ projector }) => {
      // The reason for a stalled read model is only known after a try to continue.
      await projector.catchUp()
      const models = await projector.status()
      const standing = models.find((model) => model.failing !== undefined)
      if (standing) throw new Error(`${standing.name} is stalled after event ${standing.position}: ${standing.failing}`)
      const [parked] = await projector.parkedStreams()
      if (parked)
        throw new Error(
          `${parked.projection} cannot apply event ${parked.position} and has parked its stream ${parked.stream}: ${parked.error}. See "${commandPrefix} projections"`,
        )
      if (models.length === 0) return 'created at the first start'
      const lag = Math.max(...models.map((model) => model.lag))
      return lag === 0
        ? `${models.length}, all up to date`
        : `${models.length}, at most ${lag} events behind (a running service catches up)`
    },
  ],
]

async function runChecks<Subject>(checks: readonly DoctorCheck<Subject>[], subject: Subject): Promise<boolean> {
  let well = true
  for (const [name, ask] of checks) well = (await runCheck(name, () => ask(subject))) && well
  return well
}

async function runCheck(name: string, ask: () => Promise<string>): Promise<boolean> {
  try {
    console.log(`  ok       ${name.padEnd(14)} ${indented(await ask())}`)
    return true
  } catch (error) {
    const [word, isWell] = error instanceof Advice ? ['advice', true] : ['problem', false]
    console.log(`  ${word.padEnd(7)}  ${name.padEnd(14)} ${indented(reasonOf(error))}`)
    return isWell
  }
}

const indented = (text: string): string => text.replaceAll('\n', `\n${' '.repeat(26)}`)

/** @returns 0 if no check found a problem, else 1 */
export async function doctor(_words: readonly string[], which: ServiceProfile): Promise<number> {
  console.log(`  ok       node           ${process.version}`)
  let found: Installation | undefined
  if (!(await runCheck('configuration', async () => (found = await installation(process.env, which)).place)) || !found)
    return 1
  let core: Core | undefined
  try {
    if (!(await runChecks(hostChecks(which), found))) return 1
    const canWork = await runChecks(WORKER_CHECKS, found)
    const { open } = found
    const log = logOf('silent')
    if (!(await runCheck('start', async () => ((core = await open(log)), 'the service can be opened'))) || !core)
      return 1
    return (await runChecks(coreChecks(which), core)) && canWork ? 0 : 1
  } finally {
    await core?.close()
    await found.close()
  }
}
