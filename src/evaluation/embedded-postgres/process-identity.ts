/** Pids are reused, soon after a reboot and always in containers: what a pid means is only sure together with its start time. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Opaque, and different for every process that ever has this pid; undefined when no such process lives. */
export function processStart(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps(pid, 'lstart=')
  const stat = procFile(pid, 'stat')
  if (stat === undefined) return undefined
  // The name in parentheses may hold spaces and parentheses itself, so counting starts behind the last one (proc(5)).
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' || state === 'X' ? undefined : `${bootId()}/${fields[18]}`
}

/** The words the process was started with; empty when it does not live. */
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
