/** What is sent to each contestant of a path. */
import { order } from '../../scripts/figures/bench.ts'
import { connected } from '../seeded.ts'
import type { Server } from '../server.ts'
import { requestBytes } from './load.ts'
import type { Load } from './load.ts'
import type { BenchPanel, License } from './panels.ts'
import {
  ACTIVATIONS_EACH,
  HEARTBEATS_EACH,
  activatePanels,
  activation,
  heartbeat,
  inTurn,
  sellLicenses,
} from './panels.ts'
import type { Path } from './paths.ts'
import { startLicensing, startPanel } from './stage.ts'
import type { Licensing, Panel, Service } from './stage.ts'
import { checkTwin, startTwin, tellSecrets } from './twin-start.ts'
import { untilProjected } from './written-rows.ts'

export interface Target {
  readonly processes: readonly Service[]
  /** Made anew for each measurement. */
  readonly load: () => Load
}

export interface Targets {
  target(path: Path, of: 'daybook' | 'twin'): Promise<Target>
  /** Until nothing is left to do of what was sent. */
  settle(): Promise<void>
  stop(): Promise<void>
}

/** Far more than a contestant is sent. */
const TWIN_LICENSES = 20
const TWIN_USES = 1_000_000

/** @param measurements of each path and contestant, for which signed requests must suffice */
export async function openTargets(
  server: Server,
  { paths, seconds, measurements }: { paths: readonly Path[]; seconds: number; measurements: number },
): Promise<Targets> {
  const stops: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0).toReversed()) await each()
  }
  try {
    const { licensing, databaseUrl: licensingDatabase, another } = await startLicensing(server)
    stops.push(licensing.stop)
    const { panel, databaseUrl: panelDatabase } = await startPanel(server)
    stops.push(panel.stop)
    const ours = { licensing, licensingDatabase, panel, panelDatabase }
    const twin = await startTwin(ours)
    stops.push(twin.stop)
    // It would take part in the work of the first one, so it starts when it is measured.
    const second = once(async () => {
      const started = await another()
      stops.push(started.stop)
      return started
    })
    const needed = (kind: Signed) => signedOf(paths, kind) * seconds * measurements
    const signed = await signedRequests(licensing, licensingDatabase, needed)
    await checkTwin(twin, ours, signed.example)
    const settle = () => connected(licensingDatabase, untilProjected)
    return {
      stop,
      settle,
      target: (path, of) => targetOf(path, of, { licensing, panel, twin, second, signed }, seconds),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Requests for each second of one measurement of all these paths. */
const signedOf = (paths: readonly Path[], kind: Signed): number =>
  paths.reduce((sum, { signed }) => (signed?.path === kind ? sum + signed.perSecond : sum), 0)

type Signed = 'activate' | 'heartbeat'
type Makers = Readonly<Record<Signed, () => Buffer | undefined>>

/** Of the service, a panel may send few heartbeats and a license activates few panels. The twin counts neither. */
async function signedRequests(licensing: Licensing, databaseUrl: string, needed: (kind: Signed) => number) {
  const panelsNeeded = needed('heartbeat') / HEARTBEATS_EACH
  const licenses = await sellLicenses(licensing, Math.ceil(needed('activate') / ACTIVATIONS_EACH) + 1)
  const owners = await sellLicenses(licensing, Math.ceil(panelsNeeded / ACTIVATIONS_EACH))
  const twins = await sellLicenses(licensing, TWIN_LICENSES)
  const panels = await activatePanels(licensing.url, owners)
  const twinPanels = await activatePanels(licensing.url, twins)
  const example = { license: licenses.pop()!, panel: twinPanels.pop()! }
  await tellSecrets(databaseUrl, [...twins, example.license])
  return {
    example,
    daybook: makersOf(inTurn(licenses, ACTIVATIONS_EACH), inTurn(panels, HEARTBEATS_EACH)),
    twin: makersOf(inTurn(twins, TWIN_USES), inTurn(twinPanels, TWIN_USES)),
  }
}

const makersOf = (license: () => License | undefined, panel: () => BenchPanel | undefined): Makers => ({
  activate: () => applied(license(), (each) => activation(each).request),
  heartbeat: () => applied(panel(), heartbeat),
})

const applied = <Item, Result>(item: Item | undefined, work: (item: Item) => Result): Result | undefined =>
  item === undefined ? undefined : work(item)

function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined
  return () => (made ??= make())
}

interface Opened {
  readonly licensing: Licensing
  readonly panel: Panel
  readonly twin: Service
  /** Of the licensing service. */
  readonly second: () => Promise<Service>
  readonly signed: Awaited<ReturnType<typeof signedRequests>>
}

async function targetOf(path: Path, of: 'daybook' | 'twin', opened: Opened, seconds: number): Promise<Target> {
  const { licensing, panel, twin, second, signed } = opened
  const { inFlight } = path
  const own = path.name === 'keyRead' ? panel : licensing
  const processes = of === 'twin' ? [twin] : path.processes === 2 ? [licensing, await second()] : [own]
  const ports = processes.map(({ port }) => port)
  if (!path.signed) return { processes, load: () => ({ ports, inFlight, seconds, next: unsigned(path.name, opened) }) }
  const make = signed[of][path.signed.path]
  const amount = path.signed.perSecond * seconds
  return {
    processes,
    load() {
      const ready = Array.from({ length: amount }, make).filter((request) => request !== undefined)
      return { ports, inFlight, seconds: Infinity, next: () => ready.pop() }
    },
  }
}

export function unsigned(name: string, ours: { readonly licensing: Licensing; readonly panel: Panel }): () => Buffer {
  const { licensing, panel } = ours
  const withToken = { authorization: `Bearer ${licensing.token}` }
  if (name === 'tokenRead') return always(requestBytes('GET', `/api/admin/plans/${licensing.planId}`, withToken))
  if (name === 'keyRead')
    return always(requestBytes('GET', `/api/projects/${panel.projectId}`, { authorization: `Bearer ${panel.key}` }))
  const headers = { ...withToken, 'content-type': 'application/json' }
  return () => requestBytes('POST', '/api/admin/provisioning', headers, JSON.stringify(order()))
}

const always = (request: Buffer) => () => request
