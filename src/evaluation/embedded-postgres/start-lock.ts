/**
 * Allows one `daybook start` per data directory. A process first creates its ticket and then looks for
 * others: of two concurrent processes the later one sees the earlier ticket, so they never both
 * continue. A ticket is named by pid and start time, so it identifies one process for ever: a recycled
 * pid is no lock, and the tickets of dead processes can be removed without a race.
 */
import { hash } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { processStart } from './process-identity.ts'

const TICKET = /^daybook\.(\d+)\.([0-9a-f]{12})\.lock$/
/**
 * Rivals that saw each other remove their tickets and retry; a holder keeps its ticket until after the
 * last try.
 */
const TRIES = 12
const STEP_BACK_MS_MAX = 40

export interface StartLock {
  release(): void
}

/** @throws Error with the pid of the process that uses the directory */
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
  return start && `daybook.${pid}.${hash('sha256', start, 'hex').slice(0, 12)}.lock`
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

/** Also removes the tickets of dead processes. */
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
    `${directory} is in use by process ${pid}. Stop that process first, or set DAYBOOK_DATA_DIR to another directory.`,
  )
}
