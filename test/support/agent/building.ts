/** Builds by the real performer, on the engine of a test. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildPerformer } from '../../../src/agent/builds/build.ts'
import { hostEngine } from '../../../src/agent/host/engine.ts'
import type { Performer } from '../../../src/agent/performer.ts'
import { BUSYBOX } from '../busybox-image.ts'
import { perform } from './working.ts'
import type { Said } from './working.ts'

export const WORKLOAD = { kind: 'APPLICATION', id: '01890000-0000-7000-8000-000000000001' }
export const DEPLOYMENT = '01890000-0000-7000-8000-0000000000d1'
export const TASK = '01890000-0000-7000-8000-0000000000aa'

interface Result {
  readonly imageId: string
  readonly bytes: number
  readonly ports: number[]
  readonly builder: string
  readonly cachedSteps: number
}
interface Asked {
  readonly payload?: object
  readonly secrets?: object
  readonly signal?: AbortSignal
  readonly taskId?: string
  readonly by?: Performer
}

/** @param directory of the agent */
export function buildingOn(socketPath: string, directory: string) {
  const host = { ...hostEngine(`unix://${socketPath}`), directory }
  const buildKit = buildPerformer(host)
  /** As on an engine whose operator has switched BuildKit off. */
  const classic = buildPerformer({
    ...host,
    async call(...asked) {
      const reply = await host.call(...asked)
      return asked[1] === '/_ping' ? { ...reply, headers: { 'builder-version': '1' } } : reply
    },
  })
  let names = 0
  const asking = (more: object = {}) => {
    names += 1
    return {
      installation: 'one',
      workload: WORKLOAD,
      deploymentId: DEPLOYMENT,
      service: 'app',
      context: 'EMPTY',
      directory: '',
      dockerfile: null,
      target: null,
      tag: `daybook/test:${names}`,
      localImages: [BUSYBOX],
      timeoutSeconds: 60,
      ...more,
    }
  }
  function build(dockerfile: string | null, { payload = {}, secrets = {}, by = buildKit, ...doing }: Asked = {}) {
    const asked = asking(payload)
    const all = { dockerfile, args: [], secrets: [], registries: [], ...secrets }
    const done = perform<Result>(by, asked, { secrets: all, taskId: TASK, ...doing })
    return Object.assign(done, { tag: asked.tag, redacts: by.redacts!(all) })
  }
  /** The source of a deployment, as a fetch has left it. */
  function source(id: string, files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>> = {}) {
    const root = join(directory, 'sources', `application-${WORKLOAD.id}`, id)
    mkdirSync(root, { recursive: true })
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path))
    return { context: 'FETCHED', deploymentId: id }
  }
  return { host, classic, asking, build, source }
}

export const textOf = (said: readonly Said[]): string => said.map(({ text }) => text).join('\n')

/** The processes whose arguments have the text. */
export const processesOf = (text: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)
    } catch {
      return false
    }
  })
