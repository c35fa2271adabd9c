/** install.sh and its units under a systemd that runs them. */
import { mkdirSync } from 'node:fs'
import { arch } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newEd25519 } from '#kernel/credentials/jws'
import packageJson from '../package.json' with { type: 'json' }
import { buildRelease } from '../scripts/agent-build/release.ts'
import { loadBusybox } from '../test/support/busybox-image.ts'
import { startEngine } from '../test/support/docker-engine.ts'
import type { TestEngine } from '../test/support/docker-engine.ts'
import type { Conditions, Drill, Tally } from './drill.ts'
import { missingForShop, onShop } from './shop-site.ts'
import type { ShopSite } from './shop-site.ts'
import { bootHost, noSystemdHost } from './systemd-host.ts'
import type { SystemdHost } from './systemd-host.ts'
import { visitors } from './visitors.ts'

const [AGENT, PROXY] = ['daybook-agent.service', 'daybook-proxy.service']
const MEMORY_BYTES = 512 * 2 ** 20
const WITHIN_MS = 60_000
const WITHOUT_AGENT_MS = 10_000

export const systemdUnits: Drill = {
  name: 'systemd-units',
  does: 'install.sh is run on a Debian with systemd, and its agent and its proxy are stopped and killed',
  breaks: 'the proxy is part of the agent',
  missing: () => noSystemdHost() ?? missingForShop(),
  run: (conditions) => onShop(conditions.directory, (site) => onHost(site, conditions)),
}

async function onHost(site: ShopSite, conditions: Conditions): Promise<Tally> {
  const own = arch() === 'arm64' ? 'arm64' : 'amd64'
  const directory = join(site.dataDir, 'agent-release')
  mkdirSync(directory, { recursive: true })
  const { version } = packageJson
  await buildRelease({ directory, version, key: newEd25519(), architectures: [own], say: () => {} })
  const engine = await startEngine({ publishes: true, isOfOtherHost: true })
  try {
    await loadBusybox(engine)
    const host = await bootHost(conditions.directory, dirname(engine.socketPath))
    try {
      return await installed(site, host, engine, conditions)
    } finally {
      await host.close()
    }
  } finally {
    await engine.stop()
  }
}

async function installed(site: ShopSite, host: SystemdHost, engine: TestEngine, { isBroken }: Conditions) {
  const wrong: string[] = []
  const must = (isRight: boolean, words: string) => void (isRight || wrong.push(words))
  const { server, installCommand } = await site.call('POST', '/api/servers', { name: 'Under systemd' })
  await host.inside(installCommand, { DOCKER_HOST: `unix://${engine.socketPath}` })
  if (isBroken) await dropIn(host, PROXY, '[Unit]\\nPartOf=daybook-agent.service')
  await until(
    'the agent is online',
    async () => (await site.call('GET', `/api/servers/${server.id}`)).status === 'ONLINE',
  )

  site.push('version 1')
  const application = await site.add('Under systemd', { serverId: server.id })
  const redeploy = async () =>
    site.over((await site.call('POST', `/api/applications/${application.id}/redeploy`, {})).id)
  const { id, status } = await redeploy()
  const { failure } = await site.state(id)
  if (status !== 'SUCCEEDED') throw new Error(`The first version is ${status}: ${JSON.stringify(failure)}`)
  const isActive = async (unit: string) => (await host.show(unit, 'ActiveState')) === 'active'
  must(await isActive(PROXY), 'the proxy does not run as its unit')
  for (const unit of [AGENT, PROXY]) must((await host.show(unit, 'Slice')) === 'daybook.slice', `${unit} is elsewhere`)
  const weight = await host.limit('daybook.slice', 'cpu.shares', 'cpu.weight')
  must(weight === (host.isFormer ? '10240' : '1000'), `the weight of the slice is ${weight}`)
  const memory = await host.limit(`daybook.slice/${AGENT}`, 'memory.limit_in_bytes', 'memory.max')
  must(Number(memory) === MEMORY_BYTES, `the agent may have ${memory} bytes`)

  const visiting = visitors(Number(new URL(application.url).port), (body) => body.startsWith('version '))
  await pause(1_000)
  await host.inside(`systemctl stop ${AGENT}`)
  await pause(WITHOUT_AGENT_MS)
  must(await isActive(PROXY), 'the proxy has ended with the agent')
  await host.inside(`systemctl start ${AGENT}`)
  await kills(AGENT)
  site.push('version 2')
  const second = await redeploy()
  must(second.status === 'SUCCEEDED', `the second version is ${second.status}`)
  const { asked, answered, lost, lostCount } = await visiting.leave()
  await kills(PROXY)
  const again = visitors(Number(new URL(application.url).port), (body) => body === 'version 2')
  await pause(1_000)
  const after = await again.leave()
  must(after.lostCount === 0, 'the proxy does not serve after it was killed')

  /** Resolves when systemd has started it again. */
  async function kills(unit: string): Promise<void> {
    const pid = await host.show(unit, 'MainPID')
    // The number 0 would be the drill itself.
    if (!(Number(pid) > 1))
      throw new Error(`${unit} does not run: ${await host.inside(`systemctl status ${unit} || true`)}`)
    await host.inside(`kill -9 ${pid}`)
    await until(`${unit} is started again`, async () => {
      const now = await host.show(unit, 'MainPID')
      return now !== '0' && now !== pid && (await isActive(unit))
    })
  }

  return {
    acknowledged: asked,
    found: answered,
    lost: lostCount,
    doubled: 0,
    broken: [...wrong, ...lost],
    note: `${await host.show(AGENT, 'NRestarts')} restart of the agent, ${await host.show(PROXY, 'NRestarts')} of the proxy`,
  }
}

async function dropIn(host: SystemdHost, unit: string, text: string): Promise<void> {
  await host.inside(
    `mkdir -p /etc/systemd/system/${unit}.d && printf '${text}\\n' >/etc/systemd/system/${unit}.d/drill.conf && systemctl daemon-reload`,
  )
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const late = performance.now() + WITHIN_MS; !(await isSo()); await pause(200))
    if (performance.now() > late) throw new Error(`Within a minute, not: ${what}`)
}
