/** The packages of a package-lock.json. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** The names of locks in `security/advisories.json`: the services', and that of the peers in the bench. */
export const LOCKS = ['package-lock.json', 'bench/package-lock.json'] as const
export type Lock = (typeof LOCKS)[number]

export interface Locked {
  readonly name: string
  readonly version: string
  /** The path where npm installs it, such as `node_modules/koa`. */
  readonly path: string
  readonly resolved?: string
  readonly integrity?: string
  readonly optional?: true
  readonly hasInstallScript?: true
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
  readonly bin?: Readonly<Record<string, string>>
}

/** Every package of the lock, without the project itself. */
export function lockedIn(lock: Lock): Locked[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, lock), 'utf8')) as { packages: Record<string, Locked> }
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, each]) => ({ ...each, path, name: each.name ?? nameOf(path) }))
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
