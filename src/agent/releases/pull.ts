/** Pulls the image of a deployment, and keeps it under the name of the deployment. */
import { z } from 'zod'
import { imageNamesOf, imagePull, PullSecrets } from '../../tasks/builds.ts'
import { ImageId } from '../../tasks/engine.ts'
import { askEngine, GONE } from '../engine/ask-engine.ts'
import type { AskEngine } from '../engine/ask-engine.ts'
import { giveName } from '../engine/image-names.ts'
import { isUnreached, pull } from '../engine/pull-image.ts'
import type { PullRefused } from '../engine/pull-image.ts'
import type { AgentHost } from '../host/setup.ts'
import { performer, TaskFailure } from '../performer.ts'
import type { Performer, Work } from '../performer.ts'
import { imageReference } from './image-reference.ts'
import type { ImageReference } from './image-reference.ts'

const [PORTS_MAX, PORT_MAX] = [50, 65_535]
const CONFLICT = 409

const Image = z.object({
  Id: ImageId,
  RepoTags: z.array(z.string()).nullish(),
  RepoDigests: z.array(z.string()).nullish(),
  Config: z.object({ ExposedPorts: z.record(z.string(), z.unknown()).nullish() }).nullish(),
})
type Image = z.output<typeof Image>

type Pulling = Work<z.output<typeof imagePull.payload>>
type Workload = NonNullable<Pulling['payload']['from']>
type Host = Pick<AgentHost, 'call' | 'stream'>

export const pullPerformer = (host: Host): Performer =>
  performer(
    imagePull,
    async (work) => {
      const { reference, from, tag } = work.payload
      const { image, repoDigest } = from
        ? await present(host, work, from)
        : await inTurn(reference, () => pulled(host, work))
      await giveNameOf(host, image, tag, work.signal)
      return { imageId: image.Id, repoDigest, ports: portsOf(image) }
    },
    { redacts: passwordIn },
  )

const registryIn = (secrets: unknown) => PullSecrets.parse(secrets ?? { registry: null }).registry

function passwordIn(secrets: unknown): string[] {
  const registry = registryIn(secrets)
  return registry ? [registry.password] : []
}

interface Found {
  readonly image: Image
  readonly repoDigest: string | null
}

/** By its id, and only one that the workload has: ids of others are no secrets. */
async function present({ call }: Host, { payload, signal }: Pulling, from: Workload): Promise<Found> {
  const { reference } = payload
  const image = ImageId.safeParse(reference).success ? await lookAt(askEngine(call, signal), reference) : undefined
  const isTheirs = image?.RepoTags?.some((name) => name.startsWith(imageNamesOf(from))) === true
  if (!image || !isTheirs) throw noSuchImage(`The host has no image ${reference} of that application`)
  return { image, repoDigest: null }
}

const noSuchImage = (message: string): TaskFailure => new TaskFailure('NO_SUCH_IMAGE', message)

async function lookAt(ask: AskEngine, name: string): Promise<Image | undefined> {
  const { status, body } = await ask('GET', `/images/${encodeURIComponent(name)}/json`, [GONE])
  return status === GONE ? undefined : Image.parse(body)
}

const giveNameOf = ({ call }: Host, { Id }: Image, name: string, signal: AbortSignal) =>
  giveName(call, Id, name, signal)

/** By reference: the name that a pull leaves is taken away by it, and not by another one. */
const turns = new Map<string, Promise<unknown>>()

async function inTurn<Result>(reference: string, work: () => Promise<Result>): Promise<Result> {
  const before = turns.get(reference) ?? Promise.resolve()
  const turn = before.then(work)
  const settled = turn.catch(() => {})
  turns.set(reference, settled)
  try {
    return await turn
  } finally {
    if (turns.get(reference) === settled) turns.delete(reference)
  }
}

/** The name of the registry is left only where it was before: what has it may change with the next pull. */
async function pulled(host: Host, work: Pulling): Promise<Found> {
  const { payload, signal } = work
  signal.throwIfAborted()
  const isId = ImageId.safeParse(payload.reference).success
  const named = isId ? undefined : imageReference(payload.reference)
  if (!named) throw noSuchImage('The name of the image is none that a registry has')
  const name = `${named.repo}${named.tag.startsWith('sha256:') ? '@' : ':'}${named.tag}`
  const ask = askEngine(host.call, signal)
  const login = loginOf(work.secrets, named)
  const before = await lookAt(ask, name)
  const refused = await pull(host, { name: payload.reference, repo: named.repo, tag: named.tag, login }, work)
  if (refused) throw pullFailure(payload.reference, refused)
  const image = await lookAt(ask, name)
  if (!image) throw noSuchImage(`What came as ${payload.reference} is not there any more`)
  const repoDigest = (image.RepoDigests ?? []).find((each) => shortRepo(each.split('@')[0]!) === shortRepo(named.repo))
  await giveNameOf(host, image, payload.tag, signal)
  if (!before) await ask('DELETE', `/images/${encodeURIComponent(name)}?noprune=true`, [GONE, CONFLICT])
  return { image, repoDigest: repoDigest ?? null }
}

/** The engine leaves out what all images of Docker Hub have. */
const shortRepo = (repo: string): string => repo.replace(/^docker\.io\/(?:library\/)?/, '')

/** @throws TaskFailure LOGIN_REFUSED for one of another registry, which would learn it */
function loginOf(secrets: unknown, { host }: ImageReference): object | null {
  const registry = registryIn(secrets)
  if (!registry) return null
  if (registry.address !== host)
    throw new TaskFailure('LOGIN_REFUSED', `The login is for ${registry.address}, and the image is of ${host}`)
  return { username: registry.username, password: registry.password, serveraddress: registry.address }
}

const NO_LOGIN =
  /unauthorized|authentication required|no basic auth|incorrect username|access.*denied|access forbidden/i

function pullFailure(name: string, refused: PullRefused): TaskFailure {
  if (isUnreached(refused))
    return new TaskFailure('REGISTRY_UNREACHABLE', `The host does not reach the registry of ${name}`)
  // A registry that tells a stranger nothing says that the repository may be missing, or need a login.
  if (NO_LOGIN.test(refused.why) && !/may require/.test(refused.why))
    return new TaskFailure('LOGIN_REFUSED', `The registry of ${name} refuses the login, or asks for one`)
  return noSuchImage(`The registry shows no image ${name} to this login`)
}

function portsOf({ Config }: Image): number[] {
  const names = Object.keys(Config?.ExposedPorts ?? {})
  const ports = names.flatMap((name) => (/^\d{1,5}(?:\/tcp)?$/.test(name) ? Number.parseInt(name, 10) : []))
  return ports
    .filter((port) => port >= 1 && port <= PORT_MAX)
    .toSorted((one, other) => one - other)
    .slice(0, PORTS_MAX)
}
