/** Has the engine pull an image by its digest. Source: Docker Engine API 1.41, ImageCreate. */
import { z } from 'zod'
import type { EnsuredImage } from '../../tasks/engine.ts'
import type { AgentHost } from '../host/setup.ts'
import { TaskFailure } from '../performer.ts'
import type { Work } from '../performer.ts'
import { splitName } from './image-names.ts'

const GONE = 404
/** More than an image can have. */
const LAYERS_MAX = 200

const Told = z.object({
  id: z.string().optional(),
  status: z.string().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
})

const BEGUN = ['Pulling fs layer', 'Already exists']
const DONE = ['Pull complete', 'Already exists']

/** The engine checks what it pulls by the digest. @throws TaskFailure IMAGE_NOT_FOUND | REGISTRY_UNREACHABLE | PULL_FAILED */
export async function pullImage(host: AgentHost, { payload, signal, say }: Work<EnsuredImage>): Promise<void> {
  const { name, digest } = payload
  const refused = await pull(host, { name, repo: splitName(name).repo, tag: digest, login: null }, { signal, say })
  if (refused) throw pullFailure(name, refused)
}

export interface Pulled {
  /** In words. */
  readonly name: string
  readonly repo: string
  /** Or a digest. */
  readonly tag: string
  /** `username`, `password` and `serveraddress`. */
  readonly login: object | null
}

export interface PullRefused {
  readonly status: number
  /** Words of the engine, in which words of the registry stand: they are read and not repeated. */
  readonly why: string
}

/** The engine wants the alphabet of URLs, with the padding that Node leaves out. Source: RFC 4648, 5. */
export function registryAuth(login: object): Readonly<Record<string, string>> {
  const text = Buffer.from(JSON.stringify(login)).toString('base64')
  return { 'X-Registry-Auth': text.replaceAll('+', '-').replaceAll('/', '_') }
}

/** Says how many layers are there. @returns undefined when the image is there */
export async function pull(
  { stream }: Pick<AgentHost, 'stream'>,
  { name, repo, tag, login }: Pulled,
  { signal, say }: Pick<Work<unknown>, 'signal' | 'say'>,
): Promise<PullRefused | undefined> {
  const [layers, done] = [new Set<string>(), new Set<string>()]
  let why: string | undefined
  await say(`Pulling ${name}`, 'STEP')
  const query = new URLSearchParams({ fromImage: repo, tag })
  const hear = async (told: unknown): Promise<void> => {
    const { id = '', status: step = '', error, message } = Told.safeParse(told).data ?? {}
    why ??= error ?? message
    if (BEGUN.includes(step) && layers.size < LAYERS_MAX) layers.add(id)
    if (!DONE.includes(step) || !layers.has(id) || done.has(id)) return
    done.add(id)
    await say(`${done.size} of ${layers.size} layers are there`, 'STEP')
  }
  const headers = login ? registryAuth(login) : {}
  const status = await stream(`/images/create?${query.toString()}`, signal, hear, undefined, headers)
  return status >= 300 || why !== undefined ? { status, why: why ?? '' } : undefined
}

const UNREACHED = /dial |lookup |connect|no such host|timeout|deadline|unreachable|EOF|tls|x509|certificate|HTTPS/i
const NOT_SHOWN = /not found|(?:manifest|name|repository) unknown|denied|auth/i

export const isUnreached = ({ status, why }: PullRefused): boolean => status !== GONE && UNREACHED.test(why)

function pullFailure(name: string, refused: PullRefused): TaskFailure {
  const { status, why } = refused
  if (isUnreached(refused))
    return new TaskFailure('REGISTRY_UNREACHABLE', `The host does not reach the registry of ${name}`)
  if (status === GONE || NOT_SHOWN.test(why))
    return new TaskFailure('IMAGE_NOT_FOUND', `The registry shows no image ${name} with the digest of the task`)
  return new TaskFailure('PULL_FAILED', `The container engine cannot pull ${name}: its log on the host says why`)
}
