/** Recognises what a source is. Pure: it sees names and some texts of the source, and runs nothing of it. */
import type { SourceFacts } from '../../../tasks/builds.ts'
import type { DetectorOptions, Ecosystem } from './ecosystem.ts'
import { go } from './go.ts'
import { node } from './node.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import { sourceFiles } from './source-files.ts'
import { staticFiles } from './static.ts'

export const SOURCE_KINDS = ['DOCKERFILE', 'COMPOSE', 'NODE', 'PYTHON', 'GO', 'PHP', 'STATIC', 'UNKNOWN'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

export interface Detected {
  readonly kind: SourceKind
  /** The text of one that is there, or of one that is made. Null: none can be made. */
  readonly dockerfile: string | null
  /** Null: not known. */
  readonly port: number | null
  readonly notes: readonly string[]
}

export const DOCKERFILE = 'Dockerfile'
export const COMPOSE_NAMES = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'] as const

/** In this order. PHP comes before Node.js, whose tools many sites of PHP use for their assets. */
const ECOSYSTEMS: readonly (readonly [SourceKind, Ecosystem])[] = [
  ['GO', go],
  ['PHP', php],
  ['NODE', node],
  ['PYTHON', python],
  ['STATIC', staticFiles],
]

const EXPOSED = /^\s*EXPOSE\s+(\d{1,5})(?:\/tcp)?\b/im

/** The Dockerfile that is made for a source without one. */
export function generated(facts: SourceFacts, options: DetectorOptions): Detected {
  const source = sourceFiles(facts)
  for (const [kind, ecosystem] of ECOSYSTEMS) {
    const recipe = ecosystem(source, options)
    if (recipe) return { kind, ...recipe }
  }
  const notes = ['Nothing that can be built was recognised: add a Dockerfile.']
  return { kind: 'UNKNOWN', dockerfile: null, port: null, notes }
}

/** A Dockerfile or a Compose file of the source comes first. */
export function detect(facts: SourceFacts, options: DetectorOptions): Detected {
  const source = sourceFiles(facts)
  if (source.has(DOCKERFILE)) {
    const dockerfile = source.textOf(DOCKERFILE) ?? null
    const port = Number(EXPOSED.exec(dockerfile ?? '')?.[1] ?? 0)
    return { kind: 'DOCKERFILE', dockerfile, port: port > 0 && port < 65_536 ? port : null, notes: [] }
  }
  const compose = COMPOSE_NAMES.find((name) => source.has(name))
  if (compose === undefined) return generated(facts, options)
  return { kind: 'COMPOSE', dockerfile: null, port: null, notes: [`${compose} has the services: build it as COMPOSE.`] }
}
