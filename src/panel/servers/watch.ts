/**
 * Notes servers whose agents are silent, in each process of the panel that agents can call. A panel that was down blames
 * no server: silence counts only while some process has listened.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { CommandRunner } from '#kernel/commands/command-runner'
import type { CommandContext } from '#kernel/events/event'
import { serviceKey } from '#kernel/lib/services'
import { noteListening, silentServers } from './contacts.ts'
import { servers } from './decider.ts'
import { offlineMs } from './silence-rules.ts'
import type { Beats } from './silence-rules.ts'

const LOOK_EVERY_MS = 15_000
/** A process that does not note that it listens for so long was not there. */
const GAP_MS = 45_000
const BEAT_MS = 10_000
const BEAT_MS_MAX = 50_000
/** Source: panel-hosts.md 8. */
const BEATS_A_SECOND = 200

/** The more agents, the longer its beats. */
export interface ServerWatch extends Beats {
  /** Looks now, beside the looks at its own times. */
  look(): Promise<void>
  close(): Promise<void>
}

/** In processes that agents do not call, nothing is watched. */
export const serverWatch = serviceKey<ServerWatch>('server watch', {
  beatMs: BEAT_MS,
  look: async () => {},
  close: async () => {},
})

interface ServerWatchDependencies {
  readonly pool: Pool
  readonly commands: CommandRunner
  readonly context: CommandContext
  now(): Date
  onError(error: unknown): void
}

export function watchServers({ pool, commands, context, now, onError }: ServerWatchDependencies): ServerWatch {
  const stopping = new AbortController()
  let beatMs = BEAT_MS

  async function look(): Promise<void> {
    const at = now()
    const { since, agents } = await noteListening(pool, at, GAP_MS)
    beatMs = Math.min(BEAT_MS_MAX, Math.max(BEAT_MS, (agents / BEATS_A_SECOND) * 1_000))
    const before = new Date(at.getTime() - offlineMs({ beatMs }))
    if (since > before) return
    for (const { serverId, at: lastContactAt } of await silentServers(pool, before))
      await commands.run(context, (unit) =>
        unit.decide(servers, serverId, 'GoOffline', { lastContactAt: lastContactAt.toISOString() }),
      )
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch(onError)
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }

  const looking = keepLooking()
  return {
    get beatMs() {
      return beatMs
    },
    look,
    async close() {
      stopping.abort()
      await looking
    },
  }
}
