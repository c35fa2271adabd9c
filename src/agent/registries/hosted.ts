/** Brings the registries of this host to what the plan says. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { LABELS } from '../../tasks/labels.ts'
import { IMAGE_MISSING, REGISTRY_IMAGE, REGISTRY_WORKLOAD, registriesPlan } from '../../tasks/registries.ts'
import type { HostedRegistry, RegistriesApplied } from '../../tasks/registries.ts'
import type { EngineCall } from '../engine-call.ts'
import { askEngine, GONE } from '../engine/ask-engine.ts'
import type { AskEngine } from '../engine/ask-engine.ts'
import { Labels } from '../engine/owners.ts'
import { TaskFailure } from '../performer.ts'
import { planner } from '../plans.ts'
import type { Planner } from '../plans.ts'
import { oneFileTar } from './one-file-tar.ts'
import {
  containerOf,
  DATA_PATH,
  labelsOf,
  LOGIN_FILE,
  nameOf,
  NETWORK,
  NETWORK_LABELS,
  SPEC_LABEL,
  workloadOf,
} from './template.ts'

const TAKEN = 409
const READY_MS = 20_000
const READY_EVERY_MS = 100
/** All registries of a plan have had their `READY_MS` before the time of the plan ends. */
const AT_ONCE = 8

const Containers = z.array(z.object({ Id: z.string(), Labels }))
const Image = z.object({ Id: z.string() })
const Volume = z.object({ Labels })
const Container = z.object({
  Config: z.object({ Labels }),
  HostConfig: z.object({
    PortBindings: z.record(z.string(), z.array(z.object({ HostPort: z.string() })).nullable()).nullish(),
  }),
  NetworkSettings: z.object({
    Networks: z.record(z.string(), z.object({ NetworkID: z.string().nullish() })).nullish(),
  }),
  State: z.object({ Running: z.boolean() }),
})
const Network = z.object({ Id: z.string() })

/** Its engine, bound to one application of the plan. */
interface Host {
  readonly installation: string
  readonly signal: AbortSignal
  readonly ask: AskEngine
  /** Made once if it is not there: the network may be removed while no registry runs. @returns its id */
  network(): Promise<string>
}

function hostOf(call: EngineCall, installation: string, signal: AbortSignal): Host {
  const ask = askEngine(call, signal)
  let network: Promise<string> | undefined
  return { installation, signal, ask, network: () => (network ??= networkOf(ask)) }
}

export const registriesPlanner = (call: EngineCall): Planner =>
  planner(registriesPlan, async ({ installation, registries, erased }, signal): Promise<RegistriesApplied> => {
    const host = hostOf(call, installation, signal)
    type Outcome = Pick<RegistriesApplied, 'ports' | 'problems'>
    const noting = async (registryId: string, work: () => Promise<number | void>): Promise<Outcome> => {
      try {
        const port = await work()
        return { ports: port === undefined ? [] : [{ registryId, port }], problems: [] }
      } catch (error) {
        if (!(error instanceof TaskFailure) || WHOLE_ENGINE.includes(error.code)) throw error
        return { ports: [], problems: [{ registryId, code: error.code, message: error.message }] }
      }
    }
    await removeOthers(host, new Set(registries.map(({ registryId }) => workloadOf(registryId))))
    const outcomes: Outcome[] = []
    for (const registryId of erased) outcomes.push(await noting(registryId, () => removeVolume(host, registryId)))
    const start = (registry: HostedRegistry) => noting(registry.registryId, () => run(host, registry))
    outcomes.push(...(await sideBySide(registries, start)))
    return {
      ports: outcomes.flatMap(({ ports }) => ports),
      problems: outcomes.flatMap(({ problems }) => problems),
    }
  })

/** In the order of the items. Nothing runs on when it has ended. @throws the first failure, after all have ended */
async function sideBySide<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Promise<Result>[] = []
  const waiting = items.entries()
  const worker = async (): Promise<void> => {
    for (const [nth, item] of waiting) {
      results[nth] = work(item)
      await results[nth].catch(() => {})
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return Promise.all(results)
}

/** Then nothing of the plan can be done. */
const WHOLE_ENGINE = ['ENGINE_DOWN', 'NO_ENGINE']

async function removeOthers({ ask, installation }: Host, wanted: ReadonlySet<string>): Promise<void> {
  const filters = encodeURIComponent(JSON.stringify({ label: [`${LABELS.installation}=${installation}`] }))
  const all = Containers.parse((await ask('GET', `/containers/json?all=true&filters=${filters}`)).body)
  for (const { Id: id, Labels: labels } of all) {
    const workload = labels?.[LABELS.workload] ?? ''
    if (workload.startsWith(`${REGISTRY_WORKLOAD}/`) && !wanted.has(workload))
      await ask('DELETE', `/containers/${id}?force=true`, [GONE])
  }
}

/** Only one that this installation has made. */
async function removeVolume({ ask, installation }: Host, registryId: string): Promise<void> {
  const path = `/volumes/${nameOf(registryId)}`
  const { status, body } = await ask('GET', path, [GONE])
  if (status === GONE || Volume.parse(body).Labels?.[LABELS.installation] !== installation) return
  await ask('DELETE', path, [GONE])
}

/** @returns its port */
async function run(host: Host, registry: HostedRegistry): Promise<number> {
  const { ask, installation } = host
  const image = await imageId(host)
  const present = await containerNow(host, registry.registryId)
  const port = registry.port ?? present?.port ?? (await freePort())
  const labels = labelsOf(installation, registry)
  const spec = createHash('sha256')
    .update(JSON.stringify([image, containerOf(registry, labels, port), registry.htpasswd]))
    .digest('hex')
  if (present?.spec === spec && present.isRunning) return port
  const name = nameOf(registry.registryId)
  const networkId = await host.network()
  // A container that was started once asks for its network by the id that it had then.
  const isSame = present?.spec === spec && (present.networkId === '' || present.networkId === networkId)
  if (present && !isSame) await ask('DELETE', `/containers/${name}?force=true`, [GONE])
  if (!isSame) await make(host, registry, { ...labels, [SPEC_LABEL]: spec }, port)
  // Each time: the agent may have ended after it made the container.
  await writeLogin(host, registry)
  const { status } = await ask('POST', `/containers/${name}/start`, [304, 500])
  // Of a port that the panel does not know yet, the next try takes another one.
  if (status === 500 && registry.port === undefined) await ask('DELETE', `/containers/${name}?force=true`, [GONE])
  if (status === 500)
    throw new TaskFailure('NOT_STARTED', `The engine cannot start the registry: port ${port} may be taken on the host`)
  await untilReady(port, host.signal)
  return port
}

async function imageId({ ask }: Host): Promise<string> {
  const { status, body } = await ask('GET', `/images/${encodeURIComponent(REGISTRY_IMAGE)}/json`, [GONE])
  if (status === GONE) throw new TaskFailure(IMAGE_MISSING, `The host does not have the image ${REGISTRY_IMAGE}`)
  return Image.parse(body).Id
}

/** @throws TaskFailure NAME_TAKEN for the container of another installation */
async function containerNow({ ask, installation }: Host, registryId: string) {
  const { status, body } = await ask('GET', `/containers/${nameOf(registryId)}/json`, [GONE])
  if (status === GONE) return undefined
  const { Config, HostConfig, NetworkSettings, State } = Container.parse(body)
  if (Config.Labels?.[LABELS.installation] !== installation)
    throw new TaskFailure('NAME_TAKEN', `Another panel has the container ${nameOf(registryId)} on this engine`)
  const port = Number(Object.values(HostConfig.PortBindings ?? {})[0]?.[0]?.HostPort)
  const networkId = NetworkSettings.Networks?.[NETWORK]?.NetworkID ?? ''
  return { spec: Config.Labels[SPEC_LABEL], port, networkId, isRunning: State.Running }
}

async function networkOf(ask: Host['ask']): Promise<string> {
  const look = () => ask('GET', `/networks/${NETWORK}`, [GONE])
  const present = await look()
  if (present.status !== GONE) return Network.parse(present.body).Id
  const made = { Name: NETWORK, CheckDuplicate: true, Driver: 'bridge', Labels: NETWORK_LABELS }
  await ask('POST', '/networks/create', [TAKEN], made)
  return Network.parse((await look()).body).Id
}

async function make(
  { ask }: Host,
  registry: HostedRegistry,
  labels: Record<string, string>,
  port: number,
): Promise<void> {
  const name = nameOf(registry.registryId)
  const { [SPEC_LABEL]: _spec, ...lasting } = labels
  // A volume that a mount makes has no labels.
  await ask('POST', '/volumes/create', [], { Name: name, Labels: lasting })
  await ask('POST', `/containers/create?name=${name}`, [], containerOf(registry, labels, port))
}

async function writeLogin({ ask }: Host, { registryId, htpasswd }: HostedRegistry): Promise<void> {
  const file = oneFileTar(LOGIN_FILE, `${htpasswd}\n`)
  await ask('PUT', `/containers/${nameOf(registryId)}/archive?path=${encodeURIComponent(DATA_PATH)}`, [], file)
}

/** A registry asks for a login as soon as it serves. @throws TaskFailure NOT_READY */
async function untilReady(port: number, signal: AbortSignal): Promise<void> {
  const until = performance.now() + READY_MS
  for (;;) {
    // Another program may have the port, and lead elsewhere.
    const status = await fetch(`http://127.0.0.1:${port}/v2/`, { redirect: 'manual', signal }).then(
      async (response) => {
        await response.body?.cancel()
        return response.status
      },
      () => 0,
    )
    if (status === 401) return
    signal.throwIfAborted()
    if (performance.now() > until)
      throw new TaskFailure(
        'NOT_READY',
        'The registry was started and does not answer: look at the log of its container',
      )
    await pause(READY_EVERY_MS, undefined, { signal })
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
