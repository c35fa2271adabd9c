/** Whether the panel can install a version itself: it runs in a container that the agent of its own host can replace. */
import type { z } from 'zod'
import type { HandlerContext } from '#kernel/http/route'
import { ownContainerId } from '#kernel/lib/own-container'
import { Rejection } from '#kernel/lib/rejection'
import { serviceKey } from '#kernel/lib/services'
import { serverTable } from '#projections/panel/servers'
import type { OfferedVersion } from '../../license-client/versions.ts'
import { containersList } from '../../tasks/engine.ts'
import type { EngineContainer } from '../../tasks/engine.ts'
import { panelUpdate } from '../../tasks/panel-update.ts'
import { ask } from '../agent/asks.ts'
import { installationOf } from '../agent/installation.ts'
import { localAgentStarter } from '../servers/local-agent.ts'

/** Undefined: the panel runs in no container. */
export const ownContainer = serviceKey<() => Promise<string | undefined>>('own container', ownContainerId)

/** Why the operator must install a version. */
export interface Obstacle {
  readonly code: string
  readonly message: string
}

export interface Installer {
  readonly serverId: string
  readonly containerId: string
  /** The name of its file in a version. */
  readonly file: string
}

type Call = Pick<HandlerContext, 'read' | 'service' | 'telemetry' | 'now' | 'waitFor' | 'abortSignal' | 'vault'>

/** As `docker save` writes it. */
const imageFileFor = (architecture: string): string => `panel-image-${architecture}.tar`

export async function findInstaller(call: Call): Promise<Installer | Obstacle> {
  const containerId = await call.service(ownContainer)()
  if (containerId === undefined) return NO_CONTAINER
  // It is a process of the same container.
  if (call.service(localAgentStarter)) return AGENT_INSIDE
  const server = await serverTable
    .queryIn(call.read)
    .select(['id', 'facts'])
    .where('kind', '=', 'LOCAL')
    .executeTakeFirst()
  if (!server?.facts) return NO_AGENT
  const { arch, kinds } = server.facts
  if ((kinds[panelUpdate.name] ?? 0) < panelUpdate.version) return AGENT_TOO_OLD
  try {
    const { items } = await ask(call, containersList, server.id, { installation: await installationOf(call.vault) })
    return obstacleAmong(items, containerId) ?? { serverId: server.id, containerId, file: imageFileFor(arch) }
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    return { code: error.code, message: error.message }
  }
}

type Container = Pick<z.output<typeof EngineContainer>, 'id' | 'imageId' | 'state' | 'isPlatform'>

/** Another process of the former version would work on the migrated database. */
export function obstacleAmong(all: readonly Container[], containerId: string): Obstacle | undefined {
  const own = all.find(({ id }) => id === containerId)
  if (!own?.isPlatform) return NOT_FOUND
  const isOther = ({ id, imageId, state }: Container) => id !== own.id && imageId === own.imageId && state === 'running'
  return all.some(isOther) ? OTHER_CONTAINERS : undefined
}

/** The file of the version that the installer takes. */
export const fileOf = ({ artifacts }: OfferedVersion, { file }: Installer) =>
  artifacts.find(({ name }) => name === file)

export const isObstacle = (found: Installer | Obstacle): found is Obstacle => 'code' in found

const NO_CONTAINER: Obstacle = { code: 'NO_CONTAINER', message: 'The panel does not run in a container' }
const AGENT_INSIDE: Obstacle = {
  code: 'AGENT_INSIDE',
  message: 'The agent of the panel’s own host runs in the container that it would replace',
}
const NO_AGENT: Obstacle = { code: 'NO_AGENT', message: 'No agent runs on the panel’s own host' }
const AGENT_TOO_OLD: Obstacle = {
  code: 'AGENT_TOO_OLD',
  message: 'The agent of the panel’s own host cannot replace the panel: update the agent',
}
const NOT_FOUND: Obstacle = {
  code: 'NOT_FOUND',
  message: 'The agent of the panel’s own host sees no container of this panel',
}
const OTHER_CONTAINERS: Obstacle = {
  code: 'OTHER_CONTAINERS',
  message: 'Other containers run the image of the panel, and each of them needs the new version',
}
export const NO_FILE: Obstacle = {
  code: 'NO_FILE',
  message: 'The version has no file of an image for the architecture of the panel’s own host',
}
