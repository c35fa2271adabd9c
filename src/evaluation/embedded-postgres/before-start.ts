/** What would keep the server of a home from starting, found before it is tried: Postgres says less and says it later. */
import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { ClusterHome } from './home.ts'

const MIB = 1_048_576
/** A cluster with both databases takes 80 MiB, and what is written in its first hour as much again. */
const NEW_MIB_MIN = 200
/** Two segments of the write-ahead log: with less, Postgres stops in the middle of its recovery. */
const OLD_MIB_MIN = 32

/**
 * @param programs the directory of the Postgres that is to serve the home
 * @throws Error for people when the cluster is another major version's, or its disk is full
 */
export function checkBeforeStart({ directory, pgdata }: ClusterHome, programs: string): void {
  const isNew = !existsSync(pgdata)
  refuseFullDisk(directory, freeMib(directory), isNew)
  if (!isNew) refuseOtherMajor(pgdata, programs)
}

/** Some file systems do not say how large they are. */
function freeMib(directory: string): number {
  const { blocks, bavail, bsize } = statfsSync(directory)
  return blocks === 0 ? Infinity : (bavail * bsize) / MIB
}

/** @throws Error for people. @param isNew a cluster has still to be made */
export function refuseFullDisk(directory: string, mib: number, isNew: boolean): void {
  const needed = isNew ? NEW_MIB_MIN : OLD_MIB_MIN
  if (mib >= needed) return
  const what = isNew ? 'a new database needs' : 'its database needs'
  throw new Error(
    `${directory} lies on a disk that is full: ${Math.floor(mib)} MiB are free, and ${what} ${needed}. ` +
      'Free some space, or set DAYBOOK_DATA_DIR to another directory.',
  )
}

function refuseOtherMajor(pgdata: string, programs: string): void {
  const made = majorOf(join(pgdata, 'PG_VERSION'), /^(\d+)/)
  const served = majorOf(bki(programs), /^# PostgreSQL (\d+)/)
  if (made === served) return
  if (made === undefined)
    throw new Error(
      `${pgdata} is no database of Postgres: its PG_VERSION is missing. ` +
        'Restore the directory from a copy, or set DAYBOOK_DATA_DIR to another directory.',
    )
  throw new Error(
    `${pgdata} was made by Postgres ${made}, and this Daybook brings Postgres ${served}. ` +
      'Take a backup with the Daybook that made it ("daybook backup"), or set DAYBOOK_DATA_DIR to another directory.',
  )
}

/** What initdb makes a cluster from; its first line says for which major version. */
const bki = (programs: string): string => join(programs, 'share', 'postgresql', 'postgres.bki')

function majorOf(file: string, pattern: RegExp): string | undefined {
  return existsSync(file) ? pattern.exec(readFileSync(file, 'utf8'))?.[1] : undefined
}
