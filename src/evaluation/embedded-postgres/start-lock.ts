/**
 * One `daybook start` per data directory. Who wants it puts down a ticket first and looks for others' second: of two that come at once the
 * later one sees the earlier one's, so never both go on. A ticket is named by pid and start time; it therefore means one process
 * for ever, a recycled pid is no lock, and what a dead process left can be removed without a race.
 */
import { createHash } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { processStart } from './process-identity.ts'

const TICKET = /^daybook\.(\d+)\.([0-9a-f]{12})\.lock$/
/** Rivals that saw each other step back and try again; a holder stays, and is still there after the last try. */
const TRIES = 12
const STEP_BACK_MS_MAX = 40

export interface StartLock {
  release(): void
}

/** @throws Error naming the pid of the living process that has the directory. */
export async function takeStartLock(directory: string): Promise<StartLock> {
  const name = ticketOf(process.pid)!
  const release = () => rmSync(join(directory, name), { force: true })
  let rival: number | undefined
  for (let tries = 0; tries < TRIES; tries++) {
    if (!createTicket(join(directory, name))) throw inUse(directory, process.pid)
    rival = livingRival(directory, name)
    if (rival === undefined) return { release }
    release()
    await pause(Math.random() * STEP_BACK_MS_MAX)
  }
  throw inUse(directory, rival!)
}

function ticketOf(pid: number): string | undefined {
  const start = processStart(pid)
  return start && `daybook.${pid}.${createHash('sha256').update(start).digest('hex').slice(0, 12)}.lock`
}

function createTicket(path: string): boolean {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Clears away what dead processes left, on the way. */
function livingRival(directory: string, mine: string): number | undefined {
  for (const name of readdirSync(directory)) {
    const pid = Number(TICKET.exec(name)?.[1])
    if (!pid || name === mine) continue
    if (ticketOf(pid) === name) return pid
    rmSync(join(directory, name), { force: true })
  }
  return undefined
}

function inUse(directory: string, pid: number): Error {
  return new Error(
    `${directory} is in use by process ${pid}. Stop that one first, or set DAYBOOK_DATA_DIR to another directory.`,
  )
}
