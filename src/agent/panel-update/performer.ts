/** Updates the panel in its container on this host: what can fail without harm comes before the panel is stopped. */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { ownContainerId } from '#kernel/lib/own-container'
import { ImageName } from '../../tasks/engine.ts'
import { panelUpdate } from '../../tasks/panel-update.ts'
import { askEngine, GONE } from '../engine/ask-engine.ts'
import type { AskEngine } from '../engine/ask-engine.ts'
import { receiveArchive, refusedImage } from '../engine/image-archive.ts'
import { loadArchive } from '../engine/load-archive.ts'
import { isPlatform } from '../engine/owners.ts'
import type { AgentHost } from '../host/setup.ts'
import { performer, TaskFailure } from '../performer.ts'
import type { Performer, Work } from '../performer.ts'
import { MIGRATE, migrationOf, SeenContainer, SeenImage } from './configuration.ts'
import { beginReplacement, finishReplacement, forgetReplacement, makeContainer, replacementIn } from './replacement.ts'
import type { ReplacementHost } from './replacement.ts'

const IMAGE = 'image'
const MIGRATED = 'migrated'

/** The engine of the host, and the agent's directory. */
export type PanelHost = ReplacementHost & Pick<AgentHost, 'stream'>

type Update = Work<z.output<typeof panelUpdate.payload>>

export const panelUpdatePerformer = (host: PanelHost): Performer =>
  performer(panelUpdate, async (work) => {
    const { taskId, payload, made, note, say, signal } = work
    const known = await replacementIn(host.directory)
    if (known?.taskId === taskId) return finishReplacement(host)
    if (known && !known.outcome) throw new TaskFailure('BUSY', 'Another update of the panel has not ended on this host')
    await forgetReplacement(host.directory)
    const ask = askEngine(host.call, signal)
    const old = await ownPanel(ask, payload.containerId)
    const ofImage = SeenImage.parse((await ask('GET', `/images/${old.Image}/json`)).body)
    if (!isPlatform(ofImage.Config.Labels)) throw notThePanel()
    const image = made.get(IMAGE) ?? (await loadImage(host, work))
    await note(IMAGE, image)
    const imageId = await panelImage(ask, image)
    await say(`Image ${image} is loaded`, 'STEP')
    if (!made.has(MIGRATED)) {
      const from = (await projectMigration(ask, old)) ?? { old, ofImage }
      await migrate(ask, work, { ...from, name: `${old.Name.slice(1)}-migrate`, image, sha256: payload.sha256 })
    }
    await note(MIGRATED, image)
    await say('The database is migrated', 'STEP')
    signal.throwIfAborted()
    const { Id: oldId, Name, HostConfig } = old
    const restartPolicy = HostConfig.RestartPolicy
    const begun = { taskId, oldId, name: Name.slice(1), restartPolicy, image, imageId, sha256: payload.sha256 }
    await say('The container of the panel is replaced', 'STEP')
    return beginReplacement(host, { ...begun, phase: 'FORWARD', failedAt: 'START', outcome: null })
  })

const notThePanel = (): TaskFailure =>
  new TaskFailure('NOT_THE_PANEL', 'The container does not run on this host, or it is not the one of a panel')

/** Others that the installation is made of have the label too, but not their images. @throws TaskFailure NOT_THE_PANEL | AUTO_REMOVE | INSIDE */
async function ownPanel(ask: AskEngine, containerId: string): Promise<SeenContainer> {
  const { status, body } = await ask('GET', `/containers/${containerId}/json`, [GONE])
  const seen = status === GONE ? undefined : SeenContainer.parse(body)
  if (seen?.Id !== containerId || !seen.State.Running || !isPlatform(seen.Config.Labels)) throw notThePanel()
  if (seen.HostConfig.AutoRemove === true)
    throw new TaskFailure(
      'AUTO_REMOVE',
      'The container of the panel is removed when it stops, so it could not come back',
    )
  if ((await ownContainerId()) === containerId)
    throw new TaskFailure('INSIDE', 'The agent runs in the container of the panel, and would stop itself')
  return seen
}

/** @returns the id of the image @throws TaskFailure REFUSED_IMAGE */
async function panelImage(ask: AskEngine, image: string): Promise<string> {
  const { status, body } = await ask('GET', `/images/${encodeURIComponent(image)}/json`, [GONE])
  const seen = status === GONE ? undefined : SeenImage.parse(body)
  if (!seen || !isPlatform(seen.Config.Labels)) throw refusedImage('The file of the version has no image of a panel')
  return seen.Id
}

/** @returns its name @throws TaskFailure REFUSED_IMAGE | NOT_WRITTEN */
async function loadImage(host: PanelHost, work: Update): Promise<string> {
  await work.say('Receiving the image', 'STEP')
  const archive = await receiveArchive(work, host.directory, work.payload.sha256)
  try {
    const loaded: string[] = []
    await loadArchive(host, archive, work.signal, loaded)
    const [name] = loaded
    if (name === undefined || loaded.length > 1 || !ImageName.safeParse(name).success)
      throw refusedImage('The file of the version must have one image with one name')
    return name
  } finally {
    await archive.close()
  }
}

/** Of the project that the container is part of. Source: Docker Compose, labels of containers. */
const PROJECT = 'com.docker.compose.project'
const Listed = z.array(z.object({ Id: z.string() }))

/** Where the panel is part of a Compose project, a service of it may migrate, with the login of the owner, which the panel lacks. */
async function projectMigration(ask: AskEngine, { Config: { Labels: labels } }: SeenContainer) {
  const project = labels?.[PROJECT]
  if (project === undefined) return undefined
  const filters = encodeURIComponent(JSON.stringify({ label: [`${PROJECT}=${project}`] }))
  for (const { Id } of Listed.parse((await ask('GET', `/containers/json?all=true&filters=${filters}`)).body)) {
    const { status, body } = await ask('GET', `/containers/${Id}/json`, [GONE])
    const old = status === GONE ? undefined : SeenContainer.parse(body)
    if (!old || !isMigration(old)) continue
    const image = await ask('GET', `/images/${old.Image}/json`, [GONE])
    if (image.status !== GONE) return { old, ofImage: SeenImage.parse(image.body) }
  }
  return undefined
}

const isMigration = ({ Config: { Cmd, Labels: labels } }: SeenContainer): boolean =>
  isDeepStrictEqual(Cmd, MIGRATE) && isPlatform(labels)

interface Migration {
  readonly name: string
  readonly old: SeenContainer
  readonly ofImage: SeenImage
  readonly image: string
  readonly sha256: string
}

const Ended = z.object({ StatusCode: z.int() })

/** An earlier one, and one that failed, is there for its log. @throws TaskFailure MIGRATION_FAILED */
async function migrate(ask: AskEngine, work: Update, { name, old, ofImage, ...made }: Migration): Promise<void> {
  await work.say('Migrating the database', 'STEP')
  await removeMigration(ask, name)
  const id = await makeContainer(ask, name, migrationOf(old, ofImage, { ...made, taskId: work.taskId }))
  await ask('POST', `/containers/${id}/start`)
  const { StatusCode: code } = Ended.parse((await ask('POST', `/containers/${id}/wait`)).body)
  if (code !== 0)
    throw new TaskFailure(
      'MIGRATION_FAILED',
      `The migration ended with code ${code}, so the panel runs on. On the host, "docker logs ${name}" says why`,
    )
  await removeMigration(ask, name)
}

/** Only one of an update. */
async function removeMigration(ask: AskEngine, name: string): Promise<void> {
  const { status, body } = await ask('GET', `/containers/${encodeURIComponent(name)}/json`, [GONE])
  if (status === GONE) return
  const seen = SeenContainer.parse(body)
  if (!isMigration(seen)) throw new TaskFailure('NAME_TAKEN', `Another container has the name ${name}`)
  await ask('DELETE', `/containers/${seen.Id}?force=true`, [GONE])
}
