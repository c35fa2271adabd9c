/** The directory of a data directory's cluster. */
import { hash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivate, makePublic } from '../data-directory.ts'
import { canRunScript, serverAccount, type SystemAccount } from './account.ts'

const NOTE = 'postgres-home'

export interface ClusterHome {
  /** Contains the cluster and its lock. */
  readonly directory: string
  readonly pgdata: string
  readonly account: SystemAccount | undefined
}

/**
 * The data directory itself, if the server can access it. The user `postgres` cannot enter a private
 * home such as /root, and Daybook does not change the modes of existing directories. In that case the
 * cluster is in a directory below `sharedDir`, and a note in the data directory contains its path. The
 * name consists of a hash of the path and random bytes, so that a data directory that was deleted and
 * created again gets a new cluster.
 */
export function clusterHome(dataDir: string, sharedDir: string): ClusterHome {
  const account = serverAccount()
  const note = join(dataDir, NOTE)
  if (existsSync(note)) return homeIn(readFileSync(note, 'utf8').trim(), account)
  if (existsSync(join(dataDir, 'postgres')) || canRunScript(account, 'cd "$1"', dataDir))
    return homeIn(dataDir, account)
  const digest = hash('sha256', realpathSync(dataDir), 'hex').slice(0, 12)
  const elsewhere = join(sharedDir, `${digest}-${randomBytes(4).toString('hex')}`)
  writeFileSync(note, `${elsewhere}\n`, { mode: 0o600, flush: true })
  makePublic(sharedDir)
  return homeIn(elsewhere, account)
}

/** The path of an existing cluster; changes nothing. */
export function existingPgdata(dataDir: string): string {
  const note = join(dataDir, NOTE)
  return join(existsSync(note) ? readFileSync(note, 'utf8').trim() : realpathSync(dataDir), 'postgres')
}

function homeIn(directory: string, account: SystemAccount | undefined): ClusterHome {
  const pgdata = join(directory, 'postgres')
  if (!existsSync(directory)) makePrivate(directory)
  return { directory, pgdata, account: existsSync(pgdata) ? ownerOf(pgdata, account) : account }
}

/**
 * Postgres runs a cluster only as its owner; root can act as that owner, also if another user started
 * here first.
 */
function ownerOf(pgdata: string, account: SystemAccount | undefined): SystemAccount | undefined {
  const { uid, gid } = statSync(pgdata)
  if (account) {
    if (!canRunScript({ uid, gid }, 'cd "$1"', pgdata))
      throw new Error(`${pgdata} cannot be entered by its owner, uid ${uid}: allow access to the directories above it`)
    return { uid, gid }
  }
  if (uid !== process.getuid?.())
    throw new Error(`${pgdata} belongs to uid ${uid}: start Daybook as that user, or as root`)
  return undefined
}
