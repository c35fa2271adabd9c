/**
 * What a Dockerfile says of other images. Images on the host are those of all its workloads, so that a build takes none of
 * them by its name. Sources: Dockerfile reference, "Parser directives" and "FROM"; the parser of BuildKit.
 */
import { TaskFailure } from '../performer.ts'

const BYTE_ORDER_MARK = '\uFEFF'
const COMMENT = /^\s*(?:#|\/\/)/
const SYNTAX = /^\s*(?:#|\/\/)\s*syntax\s*=\s*(\S*)/i
/** Those of Docker itself. Any other one decides itself where images come from. */
const FRONTEND = /^(?:docker\.io\/)?docker\/dockerfile(?:-upstream)?(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/

/** @throws TaskFailure FRONTEND_REFUSED */
export function refuseFrontends(dockerfile: string): void {
  const lines = dockerfile.replace(BYTE_ORDER_MARK, '').split(/\r?\n/)
  const end = lines.findIndex((line) => line.trim() !== '' && !COMMENT.test(line))
  const head = end < 0 ? lines : lines.slice(0, end)
  const named = head.flatMap((line) => SYNTAX.exec(line)?.[1] ?? [])
  // Written as JSON, its first line may name one.
  const isJson = lines[end]?.trimStart().startsWith('{') === true
  if (isJson || named.some((frontend) => !FRONTEND.test(frontend)))
    throw new TaskFailure('FRONTEND_REFUSED', 'The Dockerfile names a syntax that is not docker/dockerfile')
}

/** Other characters, line ends and continued lines are read in more than one way by parsers. */
const PLAIN = /^[\t\n -~]*$/
const CONTINUED = /[\\`][ \t]*$/m
const HERE_DOCUMENT = '<<'
const FROM = /^[ \t]*FROM[ \t]+(\S+)(?:[ \t]+AS[ \t]+([a-z][a-z0-9_.-]*))?[ \t]*$/i
const COPY_FROM = /^[ \t]*COPY[ \t]+--from=([\w.-]+)[ \t]/i
const NUMBER = /^\d{1,3}$/

/**
 * Whether a build may take what the host has: it names images that the operator has named, and no other ones. What this
 * cannot tell for certain is no.
 */
export function isLocal(dockerfile: string, localImages: readonly string[]): boolean {
  if (!PLAIN.test(dockerfile) || CONTINUED.test(dockerfile) || dockerfile.includes(HERE_DOCUMENT)) return false
  /** Those that are whole: the one that is being built is none yet. */
  const stages = new Set<string>()
  let [name, count] = [undefined as string | undefined, -1]
  return dockerfile.split('\n').every((line) => {
    if (/^[ \t]*#/.test(line) || !/from/i.test(line)) return true
    const [, image, stage] = FROM.exec(line) ?? []
    if (image === undefined) {
      const from = COPY_FROM.exec(line)?.[1]?.toLowerCase()
      const isOnce = line.match(/from/gi)!.length === 1
      return from !== undefined && isOnce && (NUMBER.test(from) ? Number(from) < count : stages.has(from))
    }
    if (name !== undefined) stages.add(name)
    name = stage?.toLowerCase()
    count += 1
    return image === 'scratch' || localImages.includes(image) || stages.has(image.toLowerCase())
  })
}
