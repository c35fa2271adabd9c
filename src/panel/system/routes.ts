import { z } from 'zod'
import { enforceLimit } from '#kernel/auth/caller-limits'
import type { CallerLimit } from '#kernel/auth/caller-limits'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import { panelUpdateTable } from '#projections/panel/system'
import type { PanelUpdateRow } from '#projections/panel/system'
import { agentUpdateTable } from '#projections/panel/system/agent-updates'
import type { AgentUpdateRow } from '#projections/panel/system/agent-updates'
import { platform } from '../access/access.ts'
import { runAsCaller } from '../access/accounts.ts'
import { agentReleases } from '../agent/release.ts'
import { panelLicense, requireLicense } from '../license/decider.ts'
import { requireLicenseStore } from '../license/store.ts'
import { panelUpdates } from './decider.ts'
import { runningRelease } from './running-release.ts'
import { checkForUpdates, offersIn, ReleaseFile, updateAmong } from './update-checks.ts'

/** Of the installation: with the hourly checks, half of what the licensing service takes. */
const CHECKS: CallerLimit = { name: 'update-check', windowMax: 6, windowSeconds: 3_600 }
const LOG_MAX = 500

const moment = z.iso.datetime()
const version = z
  .string()
  .max(64)
  .regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/, 'must be a semantic version such as 1.4.0')

const AgentsUpdate = z.object({
  version: z.string(),
  state: z
    .enum(['RUNNING', 'HALTED', 'ENDED'])
    .describe('HALTED: an agent could not be updated, so the servers that were not sent it keep theirs.'),
  total: z.int().describe('How many servers it is for.'),
  updated: z.int().describe('How many agents have told the new version.'),
  first: z.object({ serverId: z.uuid(), taskId: z.uuid() }),
  halted: z.object({ serverId: z.uuid(), code: z.string() }).nullable().describe('The server that halted it, and why.'),
  askedAt: moment,
  changedAt: moment,
})

const Updates = z
  .object({
    current: z.object({
      version: z.string(),
      sha: z
        .string()
        .nullable()
        .describe('The SHA-256 of the file that it was installed from. Null: RELEASE_SHA256 does not say it.'),
    }),
    available: z
      .object({ version: z.string(), publishedAt: moment, files: z.array(ReleaseFile) })
      .nullable()
      .describe('What the license entitles to and is newer, or the running version with other files.'),
    state: z
      .enum(['NO_LICENSE', 'NOT_CHECKED', 'UNREACHABLE', 'UP_TO_DATE', 'AVAILABLE'])
      .describe('UNREACHABLE: the last check failed; what is available is from an earlier one.'),
    how: z.enum(['BY_HAND']).describe('BY_HAND: the operator installs the version.'),
    remedy: z.string().nullable().describe('How to install what is available.'),
    problem: z.string().nullable().describe('Why the last check failed.'),
    checkedAt: moment.nullable(),
    agents: z.object({
      version: z
        .string()
        .nullable()
        .describe('The release of the agent that the panel hands out. Null: none is built.'),
      update: AgentsUpdate.nullable().describe('The newest update of agents. Null: there was none.'),
    }),
    nextCheckAt: moment.nullable().describe('Null: no service is asked, because there is no license key.'),
  })
  .meta({ id: 'SystemUpdates' })
type Updates = z.input<typeof Updates>

const UpdateLog = z.object({
  runs: z
    .array(z.object({ version: z.string(), formerVersion: z.string(), at: moment }))
    .describe('When a version was first seen to run in place of another one.'),
  lines: z.array(z.object({ at: moment, text: z.string() })),
})

const remedyFor = (version: string): string =>
  `Take a backup. Get the files of version ${version}, run "daybook panel migrate" from them, ` +
  'and start the panel and its workers from them'

type Reading = Pick<HandlerContext, 'service' | 'telemetry' | 'run' | 'read'>

function toAgentsUpdate(row: AgentUpdateRow): z.input<typeof AgentsUpdate> {
  const { version, state, total, updated, firstServerId, firstTaskId, haltedServerId, haltedCode } = row
  const first = { serverId: firstServerId, taskId: firstTaskId }
  const halted = haltedServerId === null ? null : { serverId: haltedServerId, code: haltedCode! }
  return { version, state, total, updated, first, halted, askedAt: row.askedAt, changedAt: row.changedAt }
}

async function agentsIn({ service, read }: Pick<Reading, 'service' | 'read'>): Promise<Updates['agents']> {
  const release = await service(agentReleases).find()
  const row = await agentUpdateTable.queryIn(read).selectAll().orderBy('askedAt', 'desc').limit(1).executeTakeFirst()
  return { version: release?.version ?? null, update: row ? toAgentsUpdate(row) : null }
}

async function readUpdates({ service, telemetry, run, read }: Reading): Promise<Updates> {
  const { version, sha256 } = service(runningRelease)
  const { offered, problem, checkedAt, nextAt } = await offersIn(telemetry)
  const isLicensed = Boolean(await run((unit) => unit.look(panelLicense)))
  const update = isLicensed ? updateAmong(offered, { version, sha256 }) : undefined
  return {
    current: { version, sha: sha256 },
    available: update
      ? { version: update.version, publishedAt: update.publishedAt, files: [...update.artifacts] }
      : null,
    state: isLicensed ? stateOf({ problem, checkedAt, isNewer: update !== undefined }) : 'NO_LICENSE',
    how: 'BY_HAND',
    remedy: update ? remedyFor(update.version) : null,
    problem,
    checkedAt,
    nextCheckAt: nextAt,
    agents: await agentsIn({ service, read }),
  }
}

interface Checked {
  readonly problem: string | null
  readonly checkedAt: string | null
  readonly isNewer: boolean
}

function stateOf({ problem, checkedAt, isNewer }: Checked): Updates['state'] {
  if (checkedAt === null) return 'NOT_CHECKED'
  if (problem !== null) return 'UNREACHABLE'
  return isNewer ? 'AVAILABLE' : 'UP_TO_DATE'
}

const OUTCOMES = { AVAILABLE: 'FOUND', UP_TO_DATE: 'NOTHING_NEWER' } as const

function lineOf({ kind, version, formerVersion, outcome }: PanelUpdateRow): string {
  if (kind === 'FOUND') return `Version ${version} was found while ${formerVersion} ran`
  if (kind === 'APPLIED') return `Version ${version} runs in place of ${formerVersion}`
  return `An account asked for updates of ${version}: ${outcome}`
}

export const systemRoutes = [
  route('GET /api/system/updates', {
    does: 'Tell which version runs, which one the license entitles to, and how to install it.',
    access: platform('system:view'),
    reply: Updates,
    handle: readUpdates,
  }),

  route('GET /api/system/updates/log', {
    does: 'List what was found and what ran, newest first.',
    access: platform('system:view'),
    reply: UpdateLog,
    async handle({ read }) {
      const rows = await panelUpdateTable.queryIn(read).selectAll().orderBy('position', 'desc').limit(LOG_MAX).execute()
      const runs = rows.flatMap(({ kind, version, formerVersion, at }) =>
        kind === 'APPLIED' ? { version, formerVersion: formerVersion!, at } : [],
      )
      return { runs, lines: rows.map((row) => ({ at: row.at, text: lineOf(row) })) }
    },
  }),

  route('POST /api/system/updates/check', {
    does: 'Ask the licensing service for newer versions at once, at most six times an hour. It is asked hourly anyway.',
    access: platform('system:manage'),
    refuses: [409, 429],
    reply: Updates,
    async handle(call) {
      requireLicenseStore(call.service)
      requireLicense(await call.run((unit) => unit.look(panelLicense)))
      await enforceLimit(call, CHECKS, 'panel')
      await checkForUpdates(call)
      const updates = await readUpdates(call)
      const outcome = OUTCOMES[updates.state as keyof typeof OUTCOMES] ?? 'FAILED'
      await runAsCaller(call, (unit) =>
        unit.decide(panelUpdates, undefined, 'NoteCheck', { panelUpdateId: updates.current.version, outcome }),
      )
      return updates
    },
  }),

  route('POST /api/system/updates/apply', {
    does: 'Install a version. A panel that its operator installs by hand answers 409 with what to do.',
    access: platform('system:manage'),
    refuses: [409],
    body: z.strictObject({ version: version.optional() }).default({}),
    reply: z.object({ taskId: z.uuid() }),
    async handle(call) {
      const { available, current } = await readUpdates(call)
      return reject('conflict', remedyFor(call.body.version ?? available?.version ?? current.version), 'BY_HAND')
    },
  }),
]
