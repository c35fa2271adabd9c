import { z } from 'zod'
import { enforceLimit } from '#kernel/auth/caller-limits'
import type { CallerLimit } from '#kernel/auth/caller-limits'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import { compareVersions } from '#kernel/lib/version-order'
import { panelUpdateTable } from '#projections/panel/system'
import type { PanelUpdateRow } from '#projections/panel/system'
import { agentUpdateTable } from '#projections/panel/system/agent-updates'
import type { AgentUpdateRow } from '#projections/panel/system/agent-updates'
import type { OfferedVersion } from '../../license-client/versions.ts'
import { platform } from '../access/access.ts'
import { runAsCaller } from '../access/accounts.ts'
import { agentReleases } from '../agent/release.ts'
import { panelLicense, requireLicense } from '../license/decider.ts'
import { requireLicenseStore } from '../license/store.ts'
import { panelUpdates } from './decider.ts'
import { askInstall } from './install.ts'
import { fileOf, findInstaller, isObstacle, NO_FILE } from './installer.ts'
import { runningRelease } from './running-release.ts'
import { checkForUpdates, offersIn, ReleaseFile, updateAmong } from './update-checks.ts'

/** Of the installation: with the hourly checks, half of what the licensing service takes. */
const CHECKS: CallerLimit = { name: 'update-check', windowMax: 6, windowSeconds: 3_600 }
/** Each asks the licensing service for a link. */
const INSTALLS: CallerLimit = { name: 'panel-install', windowMax: 4, windowSeconds: 3_600 }
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

const Install = z.object({
  version: z.string(),
  taskId: z.uuid(),
  state: z.enum(['RUNNING', 'INSTALLED', 'FAILED']),
  code: z
    .string()
    .nullable()
    .describe(
      'Why it failed: that of the task, or TAKEN_BACK for a version that did not serve. NOT_TAKEN_BACK: see the agent’s log.',
    ),
  askedAt: moment,
  endedAt: moment.nullable(),
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
    how: z
      .enum(['AGENT', 'BY_HAND'])
      .describe('AGENT: the panel installs what is available itself. BY_HAND: the operator installs it.'),
    remedy: z.string().nullable().describe('How the operator installs what is available.'),
    obstacle: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .describe('Why the panel does not install what is available itself.'),
    install: Install.nullable().describe('The newest version that the panel was asked to install. Null: none was.'),
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

type Reading = Pick<
  HandlerContext,
  'service' | 'telemetry' | 'run' | 'read' | 'now' | 'waitFor' | 'abortSignal' | 'vault'
>

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

async function installIn({ read }: Pick<Reading, 'read'>): Promise<Updates['install']> {
  const newest = panelUpdateTable.queryIn(read).selectAll().orderBy('position', 'desc').limit(1)
  const asked = await newest.where('kind', '=', 'ASKED').executeTakeFirst()
  if (!asked) return null
  const { version, taskId, at: askedAt } = asked
  const end = await newest.where('kind', 'in', INSTALL_ENDS).where('taskId', '=', taskId).executeTakeFirst()
  const state = end ? (end.kind as (typeof INSTALL_ENDS)[number]) : 'RUNNING'
  return { version, taskId: taskId!, state, code: end?.code ?? null, askedAt, endedAt: end?.at ?? null }
}

const INSTALL_ENDS = ['INSTALLED', 'FAILED'] as const

/** Of what is available. */
async function wayOf(call: Reading, update: OfferedVersion): Promise<Pick<Updates, 'how' | 'remedy' | 'obstacle'>> {
  const installer = await findInstaller(call)
  const obstacle = isObstacle(installer) ? installer : fileOf(update, installer) ? null : NO_FILE
  return obstacle
    ? { how: 'BY_HAND', remedy: remedyFor(update.version), obstacle }
    : { how: 'AGENT', remedy: null, obstacle }
}

async function readUpdates(call: Reading): Promise<Updates> {
  const { service, telemetry, run, read } = call
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
    ...(update ? await wayOf(call, update) : { how: 'BY_HAND', remedy: null, obstacle: null }),
    install: await installIn({ read }),
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

const LINES: Readonly<Record<PanelUpdateRow['kind'], (row: PanelUpdateRow) => string>> = {
  FOUND: ({ version, formerVersion }) => `Version ${version} was found while ${formerVersion} ran`,
  APPLIED: ({ version, formerVersion }) => `Version ${version} runs in place of ${formerVersion}`,
  CHECKED: ({ version, outcome }) => `An account asked for updates of ${version}: ${outcome}`,
  ASKED: ({ version }) => `An account asked the panel to install version ${version}`,
  INSTALLED: ({ version }) => `The panel installed version ${version}`,
  FAILED: ({ version, code }) => `The panel could not install version ${version}: ${code}`,
}

/** @throws Rejection 409 BY_HAND | NOT_OFFERED | OLDER */
async function chosenFile(call: Reading, wanted: string | undefined) {
  const running = call.service(runningRelease)
  const isLicensed = Boolean(await call.run((unit) => unit.look(panelLicense)))
  const offered = isLicensed ? (await offersIn(call.telemetry)).offered : []
  const version = wanted ?? updateAmong(offered, running)?.version ?? running.version
  const installer = await findInstaller(call)
  if (isObstacle(installer)) return rejectByHand(version)
  const chosen = offered.find((each) => each.version === version)
  if (!chosen) return reject('conflict', `Version ${version} is not offered to this panel`, 'NOT_OFFERED')
  if (compareVersions(version, running.version) < 0)
    reject('conflict', `Version ${running.version} runs, and its database cannot go back to ${version}`, 'OLDER')
  const { sha256, size } = fileOf(chosen, installer) ?? rejectByHand(version)
  return { file: { version, sha256, size }, installer }
}

const rejectByHand = (version: string): never => reject('conflict', remedyFor(version), 'BY_HAND')

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
      return { runs, lines: rows.map((row) => ({ at: row.at, text: LINES[row.kind](row) })) }
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
    does: 'Install a version: the available one, or the running one again. A panel that its operator installs answers 409 with what to do.',
    access: platform('system:manage'),
    refuses: [409, 429],
    body: z.strictObject({ version: version.optional() }).default({}),
    status: 202,
    reply: z.object({ taskId: z.uuid() }),
    async handle(call) {
      const { file, installer } = await chosenFile(call, call.body.version)
      await enforceLimit(call, INSTALLS, 'panel')
      return { taskId: await askInstall(call, file, installer) }
    },
  }),
]
