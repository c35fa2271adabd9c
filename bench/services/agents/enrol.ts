/** Registers servers by their events alone, because a panel without a license has room for one. */
import { randomUUID } from 'node:crypto'
import { SYSTEM_ACTOR } from '../../../src/composition/core.ts'
import { openPanelCore } from '../../../src/composition/panel.ts'
import { hashSecret } from '../../../src/kernel/credentials/secret-token.ts'
import { logger } from '../../../src/kernel/logging/log.ts'
import { servers } from '../../../src/panel/servers/decider.ts'
import { agentTokenOf } from '../../../src/panel/workflows/servers.ts'
import { newBoxKeys } from '../../../src/tasks/sealed-box.ts'

export interface EnrolledServer {
  readonly serverId: string
  readonly token: string
}

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
  kinds: {},
  capacity: { cpuMillis: 4_000, memoryMiB: 8_192, diskMiB: 100_000 },
  engine: null,
}

/** @param database migrated. @param secretKey of the panel that serves it afterwards */
export async function enrolServers(databaseUrl: string, secretKey: string, count: number): Promise<EnrolledServer[]> {
  const settings = {
    databaseUrl,
    secretKey: Buffer.from(secretKey, 'base64'),
    baseUrl: 'http://127.0.0.1',
    trustedProxies: { ranges: [], hops: 1 },
    authFailuresPerMinute: 20,
    metricsAllow: [],
  }
  const core = await openPanelCore(settings, logger({ level: 'fatal' }))
  const { publicKey } = newBoxKeys()
  try {
    const enrolled: EnrolledServer[] = []
    while (enrolled.length < count) {
      const part = Array.from({ length: Math.min(AT_ONCE, count - enrolled.length) }, (_each, nth) => {
        const registrationId = randomUUID()
        return { serverId: randomUUID(), registrationId, hash: hashSecret(registrationId), nth: enrolled.length + nth }
      })
      const tokens = await Promise.all(
        part.map(({ registrationId }) => agentTokenOf(core.vault, { registrationId, tokenNth: 0 })),
      )
      await core.commands.run(CONTEXT, async (unit) => {
        for (const [at, { serverId, registrationId, hash, nth }] of part.entries()) {
          await unit.decide(servers, serverId, 'AddServer', { serverId, name: `server ${nth}`, ...SERVER })
          await unit.decide(servers, serverId, 'IssueInstallToken', { installTokenId: randomUUID(), hash })
          const agent = { registrationId, tokenHash: hashSecret(tokens[at]!), publicKey, engineId: null, facts: FACTS }
          await unit.decide(servers, serverId, 'Register', { hash, ...agent })
        }
      })
      enrolled.push(...part.map(({ serverId }, at) => ({ serverId, token: tokens[at]! })))
    }
    await core.projector.catchUp()
    return enrolled
  } finally {
    await core.close()
  }
}
