/** One build by the engine. Source: Docker Engine API 1.41, ImageBuild. */
import { z } from 'zod'
import type { BuildSecrets, imageBuild } from '../../tasks/builds.ts'
import { LABELS } from '../../tasks/labels.ts'
import type { AgentHost } from '../host/setup.ts'
import { TaskFailure } from '../performer.ts'
import type { Work } from '../performer.ts'
import { buildFailure, builderClassic } from './build-failure.ts'
import type { BuildContext } from './context.ts'
import { isLocal } from './dockerfile.ts'

export type BuildHost = Pick<AgentHost, 'call' | 'stream' | 'upgrade' | 'directory'>
export type BuildWork = Work<z.output<typeof imageBuild.payload>>

export interface Builder {
  /** Of the query and the headers of its own. */
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly args?: Readonly<Record<string, string>>
  hear(told: Told): Promise<void>
}

const Told = z.object({
  id: z.string().optional(),
  aux: z.unknown().optional(),
  stream: z.string().optional(),
  error: z.string().optional(),
  /** Of an engine that has not begun. */
  message: z.string().optional(),
})
type Told = z.output<typeof Told>

/** How the builders say that the Dockerfile needs the other one. */
const NEEDS_BUILDKIT = /requires? BuildKit/

/** @throws TaskFailure BUILD_FAILED · BUILDER_CLASSIC · ENGINE_LOST */
export async function buildByEngine(
  { stream }: Pick<BuildHost, 'stream'>,
  work: BuildWork,
  { args }: BuildSecrets,
  context: BuildContext,
  builder: Builder,
  signal: AbortSignal,
): Promise<void> {
  const { payload } = work
  const query = new URLSearchParams({
    t: payload.tag,
    dockerfile: context.dockerfile,
    rm: '1',
    forcerm: '1',
    // What the host has may be of another workload, whose login this one does not have.
    ...(!isLocal(context.text, payload.localImages ?? []) && { pull: '1' }),
    labels: JSON.stringify(labelsOf(work)),
    buildargs: JSON.stringify({ ...argsOf(args), ...builder.args }),
    ...(payload.target !== null && { target: payload.target }),
    ...builder.query,
  })
  let why: string | undefined
  const heard = async (line: unknown) => {
    const told = Told.safeParse(line).data ?? {}
    why ??= told.error ?? told.message
    await builder.hear(told)
  }
  const status = await stream(`/build?${query.toString()}`, signal, heard, context.archive(), builder.headers).catch(
    lost,
  )
  if (why === undefined && status < 300) return
  if (why !== undefined) await work.say(why.trim(), 'ERR')
  if (NEEDS_BUILDKIT.test(why ?? '')) throw builderClassic()
  throw buildFailure(why ?? `The engine answered ${status}`)
}

/** Those that the builder takes for itself are not of the application: one names the program that reads the Dockerfile. */
const argsOf = (args: BuildSecrets['args']) =>
  Object.fromEntries(args.flatMap(({ name, value }) => (name.startsWith('BUILDKIT_') ? [] : [[name, value]])))

function lost(error: unknown): never {
  const isDown = error instanceof TaskFailure && error.code === 'ENGINE_DOWN'
  throw isDown ? engineLost() : error
}

export const engineLost = (): TaskFailure =>
  new TaskFailure('ENGINE_LOST', 'The container engine ended during the build')

const labelsOf = ({ taskId, payload }: BuildWork): Record<string, string> => ({
  [LABELS.installation]: payload.installation,
  [LABELS.task]: taskId,
  [LABELS.workload]: `${payload.workload.kind}/${payload.workload.id}`,
  [LABELS.deployment]: payload.deploymentId,
  [LABELS.service]: payload.service,
})
