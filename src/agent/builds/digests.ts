/**
 * Images that a Dockerfile names by their digests. Both builders take those that the engine has without asking their
 * registry, though another workload has pulled them: the agent asks it first, with the login of the build. Sources: Docker
 * Engine API 1.41, DistributionInspect; Dockerfile reference, "FROM", "ARG", "COPY --from" and "RUN --mount".
 */
import type { BuildSecrets } from '../../tasks/builds.ts'
import { registryAuth } from '../engine/pull-image.ts'
import type { AgentHost } from '../host/setup.ts'
import { TaskFailure } from '../performer.ts'
import { imageReference } from '../releases/image-reference.ts'
import { loginAt } from './registry-hosts.ts'

/** Each is a question to a registry. */
const DIGESTS_MAX = 50
const ASK_MS = 30_000
const OK = 200

/** Line ends that one of the escape characters may continue, with the empty lines and comments that follow. */
const CONTINUED = /[\\`][ \t\r]*\n(?:[^\S\n]*(?:#[^\n]*)?\n)*/g
const CONTINUES = /[\\`][ \t\r]*$/
const SKIPPED = /^\s*(?:#|$)/
/** What the builders take out of words and flags. */
const QUOTES = /[\\`"']/g
const FROM = /^\s*FROM\s/i
const FROM_LINES_MAX = 100
/** Of all that may come before the first FROM, what one line says, whatever the escape character is. */
const PLAIN_HEAD = /^[ \t]*(?:#.*|ARG[ \t][\t -[\]^_a-~]*)?\r?$/i
const COMMENT = /^[ \t]*#/
const BY_DIGEST = /(?<![\w.:/[\]-])[\w.:/[\]-]+@sha256:[0-9a-f]{64}(?![0-9a-f])/g
const PART_OF_DIGEST = /@sha\d+:/
/** An argument that is a whole value. */
const WHOLE = /(?<![^\s=])\$(?:\w+|\{\w+\})(?!\S)/g

/**
 * Reads more than the builders do: a digest counts wherever it stands in the Dockerfile, and a line counts as continued by
 * either escape character. What cannot be told for certain is refused: a name with a digest that is put together of parts.
 * @returns names with digests, of which a build may take the images
 * @throws TaskFailure BASE_REFUSED
 */
export function imagesByDigest(dockerfile: string, args: BuildSecrets['args']): string[] {
  const lines = dockerfile.replace('\uFEFF', '').replaceAll('\u0085', ' ').split('\n')
  const whole = bare(lines.join('\n').replaceAll(CONTINUED, ''))
  const bases = basesIn(lines)
  const open = bases.filter((base) => base.includes('$'))
  // What is declared before the first FROM, and what the builders know without that, is all that it knows. Other sources
  // know no arguments.
  const head = open.length > 0 ? (headOf(lines) ?? whole) : ''
  const given = args.filter(({ name }) => [...open, head].some((text) => text.includes(name)))
  const values = [head, ...given.map(({ value }) => bare(value))]
  const isPutTogether =
    [...bases, ...values].some((text) => left(text, BY_DIGEST).includes('@')) ||
    ([...open, ...values].some((text) => text.includes('@')) &&
      [...open, head].some((text) => left(text, WHOLE).includes('$')))
  const named = [whole, ...values]
  if (isPutTogether || named.some((text) => PART_OF_DIGEST.test(left(text, BY_DIGEST))))
    throw refused('The Dockerfile puts the name of an image with a digest together: write it whole, in FROM or ARG')
  const images = [...new Set(named.flatMap((text) => text.match(BY_DIGEST) ?? []))]
  if (images.length > DIGESTS_MAX) throw refused(`The Dockerfile names more than ${DIGESTS_MAX} images by digests`)
  return images
}

const bare = (text: string): string => text.replaceAll(QUOTES, '')
const left = (text: string, without: RegExp): string => text.replaceAll(without, '')

/** Whatever may be a FROM: at the begin of any line, and continued by either escape character. */
function basesIn(lines: readonly string[]): string[] {
  return lines.flatMap((_line, nth) => {
    const text = continuedFrom(lines, nth)
    return text === undefined ? [] : [bare(text)]
  })
}

function continuedFrom(lines: readonly string[], first: number): string | undefined {
  let text = ''
  for (const [nth, line] of lines.slice(first, first + FROM_LINES_MAX).entries()) {
    if (nth > 0 && SKIPPED.test(line)) continue
    text += line.replace(CONTINUES, '')
    const begun = text.trimStart()
    if (begun.length > 'FROM'.length && !FROM.test(text)) return undefined
    if (!CONTINUES.test(line)) return FROM.test(text) ? text : undefined
  }
  if (first + FROM_LINES_MAX >= lines.length) return FROM.test(text) ? text : undefined
  throw refused(`The Dockerfile continues a line over more than ${FROM_LINES_MAX} lines`)
}

/** What comes before the first FROM, without comments. @returns undefined if it may be read in more than one way */
function headOf(lines: readonly string[]): string | undefined {
  const head = lines.slice(
    0,
    lines.findIndex((line) => FROM.test(line)),
  )
  return head.every((line) => PLAIN_HEAD.test(line))
    ? bare(head.filter((line) => !COMMENT.test(line)).join('\n'))
    : undefined
}

const refused = (message: string): TaskFailure => new TaskFailure('BASE_REFUSED', message)

/** @param localImages of the operator: any build may take them @throws TaskFailure BASE_REFUSED */
export async function mustBeShown(
  { call }: Pick<AgentHost, 'call'>,
  images: readonly string[],
  { registries, localImages }: Pick<BuildSecrets, 'registries'> & { readonly localImages: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  for (const image of images) {
    if (localImages.includes(image)) continue
    const named = imageReference(image)
    if (!named) throw refused(`${image} is no name of an image`)
    const login = loginAt(registries, named.host)
    const headers = login
      ? registryAuth({ username: login.username, password: login.password, serveraddress: named.host })
      : {}
    const stop = AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)])
    const path = `/distribution/${named.repo}@${named.tag}/json`
    const { status } = await call('GET', path, stop, undefined, headers)
    if (status !== OK)
      throw refused(`The registry of ${image} does not show it to this build: name a registry with its login`)
  }
}
