/** A server whose agent answers what deployments ask as a test says, without an engine. */
import { asker, performer, TaskFailure } from '../../../src/agent/performer.ts'
import type { Work } from '../../../src/agent/performer.ts'
import { withCommands } from '../../../src/agent/releases/commands.ts'
import { gitFetch, imageBuild, imagePull } from '../../../src/tasks/builds.ts'
import { volumesList } from '../../../src/tasks/engine.ts'
import type { TaskKind } from '../../../src/tasks/kind.ts'
import { proxyPut } from '../../../src/tasks/proxy.ts'
import { releaseReplace } from '../../../src/tasks/release-replace.ts'
import { releaseStart } from '../../../src/tasks/release-start.ts'
import { releaseRemove, releaseRetire, ReleaseSecrets } from '../../../src/tasks/releases.ts'
import { volumeCopy } from '../../../src/tasks/volumes.ts'
import { agentWith } from './engine-agent.ts'
import type { serverFixture } from './server-fixture.ts'
import type { TestPanel, TestUser } from './service.ts'
import type { talkingContainers } from './talking-containers.ts'

/** What was asked of it, in the order of its beginning. */
export interface DoneWork {
  readonly kind: string
  readonly payload: any
  readonly secrets: any
}

type Script = (work: Work<any>) => unknown

let made = 0
/** A digest that no other image has. */
const nextImageId = () => `sha256:${(made += 1).toString(16).padStart(64, '0')}`

const KINDS: readonly TaskKind[] = [
  gitFetch,
  imagePull,
  imageBuild,
  releaseStart,
  releaseReplace,
  releaseRetire,
  releaseRemove,
  proxyPut,
  volumeCopy,
]

const USUAL: Readonly<Record<string, Script>> = {
  'git.fetch': () => ({
    commit: 'c'.repeat(40),
    subject: 'Add it',
    changed: true,
    hostKey: null,
    facts: { entries: [], files: [] },
  }),
  'image.pull': () => ({ imageId: nextImageId(), repoDigest: null, ports: [] }),
  'image.build': () => ({ imageId: nextImageId(), bytes: 1, ports: [], builder: 'BUILDKIT', cachedSteps: 0 }),
  'release.start': async ({ payload, mayCommit }) => ({
    containers: [],
    ...(payload.fragment && { switched: await mayCommit() }),
  }),
  'release.replace': () => ({ containers: [], drainedMs: 0, cut: 0 }),
  'release.retire': () => ({ drainedMs: 0, cut: 0, freedBytes: 0 }),
  'release.remove': () => ({ freedBytes: 0, keptVolumes: [] }),
  'volume.copy': () => ({ bytes: 1_024, sha256: 'd'.repeat(64), pausedMs: 1 }),
  'proxy.put': () => ({ reloaded: false, targets: 1 }),
}

const STARTING: readonly string[] = [releaseStart.name, releaseReplace.name]

/** As performers of releases see them, with the commands of their secrets. */
const asStarted = (kind: TaskKind, { payload, secrets }: Work<any>) =>
  STARTING.includes(kind.name) ? withCommands(payload, ReleaseSecrets.parse(secrets)) : payload

interface HostVolume {
  readonly name: string
  /** The id of its application. */
  readonly of: string
  readonly size: number
}

const toListed = ({ name, of: id, size }: HostVolume) => ({
  name,
  driver: 'local',
  size,
  containers: [],
  createdAt: null,
  workload: { kind: 'APPLICATION', id },
  isManaged: true,
  isPlatform: false,
})

interface DeployingHost {
  readonly servers: ReturnType<typeof serverFixture>
  readonly owner: TestUser
  /** What its containers say, use and answer. Absent: nothing is asked of them. */
  readonly containers?: ReturnType<typeof talkingContainers>
}

export async function deployingHost(panel: TestPanel, { servers, owner, containers }: DeployingHost) {
  const done: DoneWork[] = []
  const scripts: Record<string, Script> = { ...USUAL }
  const performers = KINDS.map((kind) =>
    performer(kind, async (work) => {
      done.push({ kind: kind.name, payload: asStarted(kind, work), secrets: work.secrets })
      await work.say(`${kind.name} begins`)
      return scripts[kind.name]!(work)
    }),
  )
  const volumes: HostVolume[] = []
  let whileListing: (() => Promise<unknown>) | undefined
  const lists = asker(volumesList, async () => {
    const items = volumes.map(toListed)
    const meanwhile = whileListing
    whileListing = undefined
    await meanwhile?.()
    return { items }
  })
  const about = { servers, owner, engineId: `deploys ${(made += 1)}` }
  const agent = await agentWith(panel, about, [...performers, ...(containers?.performers ?? [])], {
    ...containers,
    askers: [lists, ...(containers?.askers ?? [])],
  })
  return {
    ...agent,
    done,
    /** Of its engine, as it lists them. */
    volumes,
    /** Once, before its next list of volumes is told. */
    meanwhile: (does: () => Promise<unknown>) => void (whileListing = does),
    /** From now on. */
    script: (kind: string, script: Script) => void (scripts[kind] = script),
    usual: (kind: string) => void (scripts[kind] = USUAL[kind]!),
  }
}

/** Until the test lets it go, or it is cancelled. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const wait = ({ signal }: Pick<Work<any>, 'signal'>) =>
    Promise.race([
      promise,
      new Promise<never>((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
      ),
    ])
  return { open: resolve, wait }
}

export const failing = (code: string) => () => {
  throw new TaskFailure(code, `It failed with ${code}`)
}
