/** Names of images as people write them. Source: distribution/reference. */

export interface ImageReference {
  /** Of its registry; `docker.io` where the name has none. */
  readonly host: string
  /** As the engine takes it, with the host. */
  readonly repo: string
  /** Or a digest, which decides over a tag. */
  readonly tag: string
}

const HUB = 'docker.io'
const HOST = String.raw`(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?|\[[0-9a-fA-F:]+\])(?::\d{1,5})?`
const PATH = String.raw`[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*`
const REFERENCE = new RegExp(`^(?:(${HOST})/)?(${PATH})(?::(\\w[\\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$`)
/** What else stands before the first slash is a part of the path. */
const IS_HOST = /[.:]|^localhost$/

/** @returns undefined for what is no name of an image */
export function imageReference(text: string): ImageReference | undefined {
  const slash = text.indexOf('/')
  const isHosted = slash > 0 && IS_HOST.test(text.slice(0, slash))
  const found = REFERENCE.exec(isHosted ? text : `${HUB}/${text}`)
  if (!found) return undefined
  const [, host = HUB, path = '', tag = 'latest', digest] = found
  const repo = host === HUB && !path.includes('/') ? `library/${path}` : path
  return { host, repo: `${host}/${repo}`, tag: digest ?? tag }
}
