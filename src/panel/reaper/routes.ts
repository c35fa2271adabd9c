import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { flag } from '#kernel/lib/flag'
import { reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { REAPED_AT_ONCE_MAX, REAPED_KINDS, reaperReap } from '../../tasks/reaper.ts'
import type { LeftItem, ReapItem } from '../../tasks/reaper.ts'
import { platform } from '../access/access.ts'
import { runAsCaller } from '../access/accounts.ts'
import { installationOf } from '../agent/installation.ts'
import { queueTask, refuseFullQueue } from '../agent/queue-task.ts'
import { servers } from '../servers/decider.ts'
import { reaps } from './decider.ts'
import { expectedOn } from './expected.ts'
import { flaggedOf } from './flagged.ts'
import { scanIn, ScannedServer, scanServers } from './scan.ts'
import type { Scan } from './scan.ts'

const STALE_MS = 3_600_000
const ITEMS_MAX = 1_000

const ReaperScan = z
  .object({
    scanId: z.uuid(),
    at: z.iso.datetime(),
    servers: z.array(ScannedServer),
  })
  .meta({ id: 'ReaperScan' })

const Reap = z.object({ tasks: z.array(z.object({ serverId: z.uuid(), taskId: z.uuid() })) }).meta({ id: 'Reap' })

/** @throws Rejection 409 NO_SCAN | SCAN_STALE */
async function usableScan({ telemetry, now }: Pick<HandlerContext, 'telemetry' | 'now'>, scanId: string | undefined) {
  const scan = (await scanIn(telemetry, scanId)) ?? reject('conflict', 'There is no such scan: scan first', 'NO_SCAN')
  if (Date.parse(scan.at) < now.getTime() - STALE_MS)
    reject('conflict', 'The scan is older than an hour: scan again', 'SCAN_STALE')
  return scan
}

interface ServerItems {
  readonly serverId: string
  readonly items: readonly ReapItem[]
}

const isReaped = (item: LeftItem): item is LeftItem & { readonly kind: ReapItem['kind'] } =>
  (REAPED_KINDS as readonly string[]).includes(item.kind)

/** What was flagged and still is; at most so many of all servers. A server that could not be looked at has nothing. */
async function itemsOf(unit: UnitOfWork, read: ReadDatabase, scan: Scan): Promise<ServerItems[]> {
  let left = ITEMS_MAX
  const all: ServerItems[] = []
  for (const { serverId, items, problem } of scan.servers) {
    const isThere = (await unit.look(servers, serverId))?.agent
    if (!isThere || (problem !== null && items.length === 0)) continue
    const flagged = flaggedOf(items, await expectedOn(unit, read, serverId))
      .filter(isReaped)
      .slice(0, left)
    left -= flagged.length
    all.push({ serverId, items: flagged.map(({ kind, id, workload }) => ({ kind, id, workload })) })
  }
  return all
}

/** Each is one task. Options are for the first of a server. */
const chunksOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.max(1, Math.ceil(items.length / REAPED_AT_ONCE_MAX)) }, (_, nth) =>
    items.slice(nth * REAPED_AT_ONCE_MAX, (nth + 1) * REAPED_AT_ONCE_MAX),
  )

interface ReapOptions {
  readonly installation: string
  readonly pruneBuildCache: boolean
  readonly truncateLogs: boolean
}

async function queueReaps(unit: UnitOfWork, reapId: string, all: readonly ServerItems[], options: ReapOptions) {
  const { installation, pruneBuildCache, truncateLogs } = options
  const isAnyOption = pruneBuildCache || truncateLogs
  const tasks: z.input<typeof Reap>['tasks'] = []
  for (const { serverId, items } of all.filter((each) => each.items.length > 0 || isAnyOption))
    for (const [nth, some] of chunksOf(items).entries()) {
      const taskId = unit.newId()
      const isFirst = nth === 0
      const payload = {
        installation,
        items: some,
        pruneBuildCache: isFirst && pruneBuildCache,
        truncateLogs: isFirst && truncateLogs,
      }
      const cause = { type: 'reap', id: reapId }
      await queueTask(unit, reaperReap, { taskId, serverId, projectId: null, payload, cause })
      tasks.push({ serverId, taskId })
    }
  return tasks
}

export const reaperRoutes = [
  route('GET /api/admin/reaper/scan', {
    does: 'List what this panel has made on hosts, is older than an hour, and nothing expects. It removes nothing.',
    access: platform('servers:view'),
    reply: ReaperScan,
    async handle(call) {
      const { servers: scanned, ...scan } = await scanServers(call)
      return { ...scan, servers: [...scanned] }
    },
  }),

  route('POST /api/admin/reaper/reap', {
    does: 'Remove what a scan of the last hour has listed, after another look at each; never volumes.',
    access: platform('servers:manage'),
    refuses: [409],
    query: z.strictObject({ pruneBuildCache: flag.optional(), truncateLogs: flag.optional() }),
    body: z.strictObject({ scanId: uuid.optional() }).default({}),
    status: 202,
    reply: Reap,
    async handle(call) {
      const { query, body, read, vault } = call
      const { pruneBuildCache = false, truncateLogs = false } = query
      const scan = await usableScan(call, body.scanId)
      const isAnyOption = pruneBuildCache || truncateLogs
      for (const { serverId, items } of scan.servers)
        if (isAnyOption || items.length > 0) await refuseFullQueue(read, serverId)
      const options = { pruneBuildCache, truncateLogs, installation: await installationOf(vault) }
      const tasks = await runAsCaller(call, async (unit) => {
        const reapId = unit.newId()
        const all = await itemsOf(unit, read, scan)
        const items = all.flatMap(({ serverId, items: own }) => own.map(({ kind, id }) => ({ serverId, kind, id })))
        const { scanId } = scan
        await unit.decide(reaps, reapId, 'Ask', { reapId, scanId, items, pruneBuildCache, truncateLogs })
        return queueReaps(unit, reapId, all, options)
      })
      return { tasks }
    },
  }),
]
