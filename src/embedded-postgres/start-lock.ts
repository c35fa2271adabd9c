/** One `daybook start` per data directory. The file names its holder by pid and start time, so a recycled pid is no lock. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { processStart } from './process-identity.ts'

export interface StartLock {
  release(): void
}

/** @throws Error naming the pid of the living process that has the directory. */
export function takeStartLock(directory: string): StartLock {
  const path = join(directory, 'daybook.lock')
  const mine = JSON.stringify({ pid: process.pid, start: processStart(process.pid) })
  for (let tries = 0; tries < 10; tries++) {
    if (putDown(path, mine)) return { release: () => letGo(path, mine) }
    const theirs = readText(path)
    const pid = livingHolder(theirs)
    if (pid !== undefined) throw inUse(directory, pid)
    clearStale(path, theirs)
  }
  throw new Error(`The lock ${path} changes hands too fast; start Daybook once`)
}

function letGo(path: string, mine: string): void {
  if (readText(path) === mine) rmSync(path, { force: true })
}

function inUse(directory: string, pid: number): Error {
  return new Error(
    `${directory} is in use by process ${pid}. Stop that one first, or set DAYBOOK_DATA_DIR to another directory.`,
  )
}

/** A link appears with its whole content or not at all, which an exclusive open does not promise. */
function putDown(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, content, { mode: 0o600 })
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function livingHolder(content: string | undefined): number | undefined {
  const { pid, start } = parse(content)
  return typeof pid === 'number' && start !== undefined && processStart(pid) === start ? pid : undefined
}

/** Moved away before it is judged again: a rival may have cleared it and put its own down since we read it. */
function clearStale(path: string, seen: string | undefined): void {
  const aside = `${path}.stale-${process.pid}`
  try {
    renameSync(path, aside)
    if (readText(aside) !== seen) linkSync(aside, path)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function parse(content: string | undefined): { pid?: unknown; start?: unknown } {
  try {
    return (JSON.parse(content ?? '{}') ?? {}) as { pid?: unknown; start?: unknown }
  } catch {
    return {}
  }
}
