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

const FROM = /^\s*FROM\s+(\S+)(?:\s+AS\s+(\S+))?\s*$/i
const COPY_FROM = /^\s*COPY\s+--from=([\w.-]+)\s/i
const NUMBER = /^\d+$/

/**
 * Whether a build may take what the host has: it names images that the operator has named, and no other ones. What this
 * cannot tell for certain is no.
 */
export function isLocal(dockerfile: string, localImages: readonly string[]): boolean {
  const stages = new Set(['scratch'])
  return linesOf(dockerfile).every((line) => {
    if (!/from/i.test(line)) return true
    const [, image, stage] = FROM.exec(line) ?? []
    if (image === undefined) {
      const from = COPY_FROM.exec(line)?.[1]?.toLowerCase()
      const isOnce = line.match(/from/gi)!.length === 1
      return from !== undefined && isOnce && (NUMBER.test(from) || stages.has(from))
    }
    const isKnown = localImages.includes(image) || stages.has(image.toLowerCase())
    if (stage !== undefined) stages.add(stage.toLowerCase())
    return isKnown
  })
}

/** Without comments, and with lines that go on as one: either character may be the one of continued lines. */
const linesOf = (dockerfile: string): string[] =>
  dockerfile
    .replace(BYTE_ORDER_MARK, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/[\\`][ \t]*\n/g, '')
    .split('\n')
