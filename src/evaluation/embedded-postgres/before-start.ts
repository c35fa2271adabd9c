/** Checks that would otherwise make the start of Postgres fail, with better messages and earlier. */
import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { ClusterHome } from './home.ts'

const MIB = 1_048_576
/** A cluster with both databases takes 80 MiB, and the data of its first hour about the same. */
const NEW_MIB_MIN = 200
/** Two segments of the write-ahead log: with less space, Postgres stops during recovery. */
const OLD_MIB_MIN = 32

/**
 * @param programs the directory of the Postgres that will run the cluster
 * @throws Error for the user if the cluster is of another major version, or its disk is full
 */
export function checkBeforeStart({ directory, pgdata }: ClusterHome, programs: string): void {
  const isNew = !existsSync(pgdata)
  refuseFullDisk(directory, freeMib(directory), isNew)
  if (!isNew) refuseOtherMajor(pgdata, programs)
}

/** Some file systems do not report their size. */
function freeMib(directory: string): number {
  const { blocks, bavail, bsize } = statfsSync(directory)
  return blocks === 0 ? Infinity : (bavail * bsize) / MIB
}

/**
 * @param isNew whether the cluster must still be created
 * @throws Error for the user
 */
export function refuseFullDisk(directory: string, mib: number, isNew: boolean): void {
  const needed = isNew ? NEW_MIB_MIN : OLD_MIB_MIN
  if (mib >= needed) return
  const what = isNew ? 'a new database needs' : 'the database needs'
  throw new Error(
    `${directory} is on a full disk: ${Math.floor(mib)} MiB are free, and ${what} ${needed}. ` +
      'Free some space, or set DAYBOOK_DATA_DIR to another directory.',
  )
}

function refuseOtherMajor(pgdata: string, programs: string): void {
  const made = majorOf(join(pgdata, 'PG_VERSION'), /^(\d+)/)
  const served = majorOf(bki(programs), /^# PostgreSQL (\d+)/)
  if (made === served) return
  if (made === undefined)
    throw new Error(
      `${pgdata} is not a Postgres database: its PG_VERSION is missing. ` +
        'Restore the directory from a copy, or set DAYBOOK_DATA_DIR to another directory.',
    )
  throw new Error(
    `${pgdata} was created by Postgres ${made}, but this Daybook contains Postgres ${served}. ` +
      'Take a backup with the earlier Daybook ("daybook backup"), or set DAYBOOK_DATA_DIR to another directory.',
  )
}

/** The input of initdb; its first line contains the major version. */
const bki = (programs: string): string => join(programs, 'share', 'postgresql', 'postgres.bki')

function majorOf(file: string, pattern: RegExp): string | undefined {
  return existsSync(file) ? pattern.exec(readFileSync(file, 'utf8'))?.[1] : undefined
}
