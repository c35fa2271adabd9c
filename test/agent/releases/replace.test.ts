/** A release that replaces another one: requests wait meanwhile, and the old one comes back if the new one fails. */
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { TaskFailure } from '../../../src/agent/performer.ts'
import type { ProxySwitch } from '../../../src/agent/releases/proxy-switch.ts'
import {
  errorOf,
  health,
  INSTALLATION,
  makeAppImage,
  releaseHost,
  releaseOf,
  service,
} from '../../support/agent/release-host.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const directory = scratchOfFile()
const engine = noEngine === undefined ? await startEngine({ publishes: true }) : undefined
const image = engine ? await makeAppImage(engine, 'app') : ''
afterAll(() => engine?.stop())

/** What the proxy was asked, each with the deployments that ran at that time. */
let asked: unknown[] = []
beforeEach(() => void (asked = []))
let refusal: Error | undefined
let isGone = false
const running = async (): Promise<string[]> =>
  (await engine!.api('GET', '/containers/json')).map(({ Labels }: any) => Labels['daybook.deployment'])
const proxy: ProxySwitch = {
  drained: async ({ release, seconds }) => {
    asked.push(['drained', release, seconds, await running()])
    return { drainedMs: 5, cut: 1 }
  },
  hold: async () => void asked.push(['hold', await running()]),
  put: async ({ release }) => {
    asked.push(['put', release, await running()])
    if (refusal) throw refusal
  },
  resume: async () => {
    asked.push(['resume', await running()])
    if (isGone) throw new TaskFailure('NOT_RUNNING', 'The release of the last fragment is gone')
  },
}
const { perform } = releaseHost(engine?.socketPath ?? '/nowhere', { directory, proxy })

/** Whether the engine starts them again when it starts itself. */
async function policies(): Promise<object> {
  const all: any[] = await engine!.api('GET', '/containers/json?all=true')
  const seen = await Promise.all(all.map(({ Id }) => engine!.api('GET', `/containers/${Id}/json`)))
  return Object.fromEntries(
    seen.map(({ Config, HostConfig: { RestartPolicy: policy } }) => [Config.Labels['daybook.deployment'], policy.Name]),
  )
}

type Release = ReturnType<typeof releaseOf>
const begun: Release[] = []
const old = async (): Promise<Release> => {
  const volumes = [{ volume: `data-${uuidv7()}`, mountPath: '/data' }]
  const release = releaseOf([service(image, { volumes })])
  begun.push(release)
  await perform('release.start', release)
  return release
}
const next = (release: Release, change: object = {}, more: object = {}) => {
  const { installation, workload, deploymentId: replaces } = release
  const services = release.services.map((each) => ({ ...each, ...change }))
  const fragment = { installation, owner: workload, revision: 2, hosts: [], listeners: [], backends: [] }
  return { ...release, services, deploymentId: uuidv7(), replaces, drainSeconds: 9, fragment, ...more }
}
const failing = { health: health({ startSeconds: 1, path: '/', kind: 'TCP' as const }), port: 9 }

afterEach(async () => {
  refusal = undefined
  isGone = false
  for (const { workload } of begun.splice(0))
    await perform('release.remove', {
      installation: INSTALLATION,
      workload,
      proxyRevision: null,
      stopSeconds: 0,
      deleteVolumes: true,
      imageIds: [],
    })
  if (engine) expect(await engine.api('GET', '/containers/json?all=true')).toEqual([])
})

test.skipIf(noEngine)(
  'the new release begins after the old one has ended, and gets the requests once it is healthy',
  async () => {
    const before = await old()
    const after = next(before)
    const result = await perform('release.replace', after)
    expect(result).toMatchObject({ containers: [{ service: 'app', replica: 1 }], drainedMs: 5, cut: 1 })
    expect(asked).toEqual([
      ['hold', [before.deploymentId]],
      ['drained', before.deploymentId, 9, [before.deploymentId]],
      ['put', after.deploymentId, [after.deploymentId]],
    ])
    expect(await policies()).toEqual({ [before.deploymentId]: 'no', [after.deploymentId]: 'always' })
    expect(await perform('release.replace', after), 'again').toMatchObject({
      containers: [{ containerId: result.containers[0].containerId }],
    })
  },
)

const side = (release: Release, change: object = {}) => {
  const { replaces: _r, drainSeconds: _d, ...started } = next(release, change)
  return started
}

test.skipIf(noEngine)(
  'containers that start beside the old release get the requests once they are healthy',
  async () => {
    const before = await old()
    const after = side(before)
    const mayCommit = async () => [asked.push(['may', await running()])].length > 0
    const started = perform('release.start', after, { mayCommit })
    expect(await started).toMatchObject({ containers: [{ service: 'app' }], switched: true })
    const both = expect.arrayContaining([before.deploymentId, after.deploymentId])
    expect(asked).toEqual([
      ['may', both],
      ['put', after.deploymentId, both],
    ])
    expect(started.said.at(-1)).toBe('New requests go to the new containers')
    expect(await policies()).toEqual({ [before.deploymentId]: 'always', [after.deploymentId]: 'always' })
    const other = side(before)
    expect(await perform('release.start', other, { mayCommit: async () => false })).toMatchObject({ switched: false })
    expect(asked).toHaveLength(2)
  },
)

test.skipIf(noEngine)('what fails before the switch leaves nothing, and after it what requests may go to', async () => {
  const before = await old()
  const cancelled = async () => {
    throw new Error('It is cancelled')
  }
  await errorOf(perform('release.start', side(before), { mayCommit: cancelled }))
  expect([asked, await running()]).toEqual([[], [before.deploymentId]])
  refusal = new TaskFailure('PROXY_DOWN', 'It does not take its targets')
  const after = side(before)
  const made = new Map<string, string>()
  expect(await errorOf(perform('release.start', after, { made }))).toMatchObject({ code: 'PROXY_DOWN' })
  const both = [before.deploymentId, after.deploymentId].toSorted()
  expect((await running()).toSorted()).toEqual(both)
  // In a later attempt, and in the next process, they stay whatever comes.
  await errorOf(perform('release.start', after, { made, signal: AbortSignal.abort() }))
  expect((await running()).toSorted()).toEqual(both)
  refusal = undefined
  const again = await perform('release.start', after, { made, mayCommit: cancelled })
  expect([again.switched, (await running()).toSorted()]).toEqual([true, both])
})

test.skipIf(noEngine)('a release that replaces nothing is started', async () => {
  const release = releaseOf([service(image)])
  begun.push(release)
  const after = { ...next(release), replaces: null }
  await perform('release.replace', after)
  expect(asked).toEqual([
    ['hold', []],
    ['put', after.deploymentId, [after.deploymentId]],
  ])
})

test.skipIf(noEngine).each([
  ['does not get healthy', 'PORT_CLOSED', failing, undefined],
  ['has no image any more', 'IMAGE_GONE', { imageId: `sha256:${'0'.repeat(64)}` }, undefined],
  ['the proxy refuses', 'PORT_IN_USE', {}, new TaskFailure('PORT_IN_USE', 'A foreign program has the port')],
] as const)('the old release runs again when the new one %s', async (_what, code, change, refused) => {
  const before = await old()
  refusal = refused
  const done = perform('release.replace', next(before, change))
  expect(await errorOf(done)).toMatchObject({ code })
  expect(asked.at(-1)).toEqual(['resume', [before.deploymentId]])
  expect(await policies()).toEqual({ [before.deploymentId]: 'always' })
  expect(done.said.at(-1)).toBe('The old release runs again')
})

test.skipIf(noEngine)('a proxy that has taken the new release before the failure gets the old one', async () => {
  const before = await old()
  isGone = true
  await errorOf(perform('release.replace', next(before, failing)))
  expect(asked.at(-1)).toEqual(['put', before.deploymentId, [before.deploymentId]])
})

test.skipIf(noEngine)('a cancel counts until the old release stops', async () => {
  const before = await old()
  const early = new AbortController()
  const onEarly = (text: string) => text.startsWith('New requests') && early.abort()
  await errorOf(perform('release.replace', next(before), { signal: early.signal, onSay: onEarly }))
  expect(asked.at(-1)).toEqual(['resume', [before.deploymentId]])
  const late = new AbortController()
  const onLate = (text: string) => text.startsWith('The old release has') && late.abort()
  const after = next(before)
  await perform('release.replace', after, { signal: late.signal, onSay: onLate })
  expect(asked.at(-1)).toEqual(['put', after.deploymentId, [after.deploymentId]])
  await errorOf(perform('release.replace', after, { signal: AbortSignal.abort() }))
  expect(asked.at(-1), 'cancelled after a kill').toEqual(['resume', [before.deploymentId]])
})
