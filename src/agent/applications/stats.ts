/** Measures what the running containers of a workload use. */
import { z } from 'zod'
import { applicationsStats } from '../../tasks/applications.ts'
import type { ContainerStats } from '../../tasks/applications.ts'
import type { HostEngine } from '../host/engine.ts'
import { asker } from '../performer.ts'
import { containersOf } from './containers.ts'
import type { WorkloadContainer } from './containers.ts'

const amount = z.number().min(0).catch(0)
const Cpu = z.object({
  cpu_usage: z.object({ total_usage: amount }),
  system_cpu_usage: amount,
  online_cpus: amount,
})
const Transferred = z.object({ rx_bytes: amount, tx_bytes: amount })
const Blocks = z.array(z.object({ op: z.string(), value: amount }))

/** Of the engine: a second before, and now. The kernel says which of them it knows. */
const Measured = z.object({
  read: z.iso.datetime(),
  cpu_stats: Cpu,
  precpu_stats: Cpu,
  memory_stats: z.object({ usage: amount, limit: amount, stats: z.record(z.string(), amount).nullish() }),
  networks: z.record(z.string(), Transferred).nullish(),
  blkio_stats: z.object({ io_service_bytes_recursive: Blocks.nullish() }),
  pids_stats: z.object({ current: amount }),
})
type Measured = z.output<typeof Measured>

export const statsAsker = ({ call }: Pick<HostEngine, 'call'>) =>
  asker(applicationsStats, async (query, { signal }) => {
    const running = (await containersOf(call, query, signal)).filter(({ isRunning }) => isRunning)
    const measured = await Promise.all(
      running.map(async (container) => {
        const { body } = await call('GET', `/containers/${container.id}/stats?stream=false`, signal)
        const parsed = Measured.safeParse(body)
        // One that has ended meanwhile is measured no more.
        return parsed.success ? [statsOf(container, parsed.data)] : []
      }),
    )
    return { containers: measured.flat() }
  })

function statsOf({ service, replica, deploymentId }: WorkloadContainer, of: Measured): ContainerStats {
  const networks = Object.values(of.networks ?? {})
  const sum = (values: readonly number[]): number => Math.round(values.reduce((all, each) => all + each, 0))
  const blocks = (op: string) =>
    sum(
      (of.blkio_stats.io_service_bytes_recursive ?? []).flatMap((each) =>
        each.op.toLowerCase() === op ? each.value : [],
      ),
    )
  return {
    service,
    replica,
    deploymentId,
    cpuPercent: cpuPercentOf(of),
    memoryBytes: memoryBytesOf(of),
    // The kernel has a number beyond all memory where there is no limit.
    limitBytes: Math.min(of.memory_stats.limit, Number.MAX_SAFE_INTEGER),
    netRxBytes: sum(networks.map(({ rx_bytes }) => rx_bytes)),
    netTxBytes: sum(networks.map(({ tx_bytes }) => tx_bytes)),
    blockReadBytes: blocks('read'),
    blockWriteBytes: blocks('write'),
    pids: Math.round(of.pids_stats.current),
    at: new Date(of.read).toISOString(),
  }
}

const PERCENT = 100

function cpuPercentOf({ cpu_stats: now, precpu_stats: before }: Measured): number {
  const used = now.cpu_usage.total_usage - before.cpu_usage.total_usage
  const passed = now.system_cpu_usage - before.system_cpu_usage
  if (used <= 0 || passed <= 0 || before.system_cpu_usage === 0) return 0
  return (used / passed) * Math.max(1, now.online_cpus) * PERCENT
}

/** Control groups of version 1 and 2 have two names for what is only cached. */
function memoryBytesOf({ memory_stats: { usage, stats } }: Measured): number {
  const cached = stats?.['total_inactive_file'] ?? stats?.['inactive_file'] ?? 0
  return Math.round(Math.max(0, usage - cached))
}
