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
export async function pullImage({ stream }: AgentHost, { payload, signal, say }: Work<EnsuredImage>): Promise<void> {
  const { name, digest } = payload
  const [layers, done] = [new Set<string>(), new Set<string>()]
  let why: string | undefined
  await say(`Pulling ${name}`, 'STEP')
  const query = new URLSearchParams({ fromImage: splitName(name).repo, tag: digest })
  const status = await stream(`/images/create?${query.toString()}`, signal, async (told) => {
    const { id = '', status: step = '', error, message } = Told.safeParse(told).data ?? {}
    why ??= error ?? message
    if (BEGUN.includes(step) && layers.size < LAYERS_MAX) layers.add(id)
    if (!DONE.includes(step) || !layers.has(id) || done.has(id)) return
    done.add(id)
    await say(`${done.size} of ${layers.size} layers are there`, 'STEP')
  })
  if (status >= 300 || why !== undefined) throw pullFailure(name, status, why ?? '')
}

/** What the engine says of a failure: words of the registry stand in it, so it is read and not repeated. */
const UNREACHED = /dial |lookup |connect|no such host|timeout|deadline|unreachable|EOF|tls|x509|certificate|HTTPS/i
const NOT_SHOWN = /not found|(?:manifest|name|repository) unknown|denied|auth/i

function pullFailure(name: string, status: number, why: string): TaskFailure {
  if (status !== GONE && UNREACHED.test(why))
    return new TaskFailure('REGISTRY_UNREACHABLE', `The host does not reach the registry of ${name}`)
  if (status === GONE || NOT_SHOWN.test(why))
    return new TaskFailure('IMAGE_NOT_FOUND', `The registry shows no image ${name} with the digest of the task`)
  return new TaskFailure('PULL_FAILED', `The container engine cannot pull ${name}: its log on the host says why`)
}
