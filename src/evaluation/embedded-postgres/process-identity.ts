/**
 * Identifies processes. Pids are reused, soon after a reboot and often in containers, so a pid is
 * unique only together with its start time.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * An opaque value that differs for every process that ever has this pid; undefined if no such process
 * is running.
 */
export function processStart(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps(pid, 'lstart=')
  const stat = procFile(pid, 'stat')
  if (stat === undefined) return undefined
  // The name in parentheses may contain spaces and parentheses, so fields are counted after the last
  // one (proc(5)).
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' || state === 'X' ? undefined : `${bootId()}/${fields[18]}`
}

/** The arguments of the process; empty if it is not running. */
export function processArguments(pid: number): string[] {
  if (process.platform !== 'linux') return ps(pid, 'args=')?.split(' ') ?? []
  return procFile(pid, 'cmdline')?.split('\0').slice(0, -1) ?? []
}

function procFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return undefined
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

function ps(pid: number, column: string): string | undefined {
  try {
    return execFileSync('ps', ['-ww', '-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}
