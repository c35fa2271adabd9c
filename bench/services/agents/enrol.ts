/** Registers servers by their events alone, because a panel without a license has room for one, and asks them for work. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { SYSTEM_ACTOR } from '../../../src/composition/core.ts'
import { openPanelCore } from '../../../src/composition/panel.ts'
import { hashSecret } from '../../../src/kernel/credentials/secret-token.ts'
import { logger } from '../../../src/kernel/logging/log.ts'
import { queueTask } from '../../../src/panel/agent/queue-task.ts'
import { servers } from '../../../src/panel/servers/decider.ts'
import { agentTokenOf } from '../../../src/panel/workflows/servers.ts'
import { containersAct } from '../../../src/tasks/engine.ts'
import { newBoxKeys } from '../../../src/tasks/sealed-box.ts'

export interface EnrolledServer {
  readonly serverId: string
  readonly token: string
  /** Of the process of its agent. */
  readonly run: string
}

export interface Enrolment {
  enrol(count: number): Promise<EnrolledServer[]>
  /** In a lane of its own, so that no task waits for another. @returns the id of the task, when its event is stored */
  queue(serverId: string): Promise<string>
  /** Resolves when what follows from the enrolment of these is done: each server gets a task, which its agent does not know. */
  settled(agents: readonly EnrolledServer[]): Promise<void>
  close(): Promise<void>
}

const OPEN = `SELECT (SELECT count(*) FROM telemetry.work_pending)
  + (SELECT count(*) FROM read.tasks WHERE ended_at IS NULL AND server_id = ANY ($1::uuid[])) AS open`
const LOOK_EVERY_MS = 1_000
const SETTLE_MS_MAX = 600_000

const AT_ONCE = 50
const CONTEXT = { actor: SYSTEM_ACTOR, requestId: 'bench' }

const SERVER = {
  kind: 'REMOTE' as const,
  description: null,
  publicAddress: null,
  allowedIps: [],
  labels: [],
  meshPort: null,
  cordoned: false,
}

const FACTS = {
  version: '0.0.0',
  os: 'linux',
  arch: 'amd64',
  hostname: 'bench',
  kernel: '6.1.0',
  kinds: { [containersAct.name]: containersAct.version },
  capacity: { cpuMillis: 4_000, memoryMiB: 8_192, diskMiB: 100_000 },
  engine: null,
}

/** @param databaseUrl migrated. @param secretKey of the panel that serves it */
export async function openEnrolment(databaseUrl: string, secretKey: string): Promise<Enrolment> {
  const settings = {
    databaseUrl,
    secretKey: Buffer.from(secretKey, 'base64'),
    baseUrl: 'http://127.0.0.1',
    trustedProxies: { ranges: [], hops: 1 },
    authFailuresPerMinute: 20,
    metricsAllow: [],
  }
  const { vault, commands, projector, pool, close } = await openPanelCore(settings, logger({ level: 'fatal' }))
  const { publicKey } = newBoxKeys()
  return {
    close,
    async enrol(count) {
      const enrolled: EnrolledServer[] = []
      while (enrolled.length < count) {
        const part = Array.from({ length: Math.min(AT_ONCE, count - enrolled.length) }, () => {
          const registrationId = randomUUID()
          return { serverId: randomUUID(), registrationId, hash: hashSecret(registrationId) }
        })
        const tokens = await Promise.all(
          part.map(({ registrationId }) => agentTokenOf(vault, { registrationId, tokenNth: 0 })),
        )
        await commands.run(CONTEXT, async (unit) => {
          for (const [at, { serverId, registrationId, hash }] of part.entries()) {
            await unit.decide(servers, serverId, 'AddServer', { serverId, name: `server ${serverId}`, ...SERVER })
            await unit.decide(servers, serverId, 'IssueInstallToken', { installTokenId: randomUUID(), hash })
            const agent = {
              registrationId,
              tokenHash: hashSecret(tokens[at]!),
              publicKey,
              engineId: null,
              facts: FACTS,
            }
            await unit.decide(servers, serverId, 'Register', { hash, ...agent })
          }
        })
        enrolled.push(...part.map(({ serverId }, at) => ({ serverId, token: tokens[at]!, run: randomUUID() })))
      }
      await projector.catchUp()
      return enrolled
    },
    async settled(agents) {
      const ids = agents.map(({ serverId }) => serverId)
      const untilMs = performance.now() + SETTLE_MS_MAX
      for (let still = 0; still < 3; await pause(LOOK_EVERY_MS)) {
        const { rows } = await pool.query<{ open: string }>(OPEN, [ids])
        still = Number(rows[0]!.open) === 0 ? still + 1 : 0
        if (performance.now() > untilMs) throw new Error(`${rows[0]!.open} jobs and tasks of the enrolment are open`)
      }
    },
    async queue(serverId) {
      const taskId = randomUUID()
      const payload = { containerId: randomBytes(32).toString('hex'), action: 'stop' as const }
      const cause = { type: 'server', id: serverId }
      await commands.run(CONTEXT, (unit) =>
        queueTask(unit, containersAct, { taskId, serverId, projectId: null, payload, cause }),
      )
      return taskId
    },
  }
}
