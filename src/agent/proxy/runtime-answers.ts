/** Reads what the processes of HAProxy answer. Source: HAProxy management guide, 9.3 and 9.4. */
import { TaskFailure } from '../performer.ts'
import type { ServerNow } from './moves.ts'

const FORCED_MAINT = 0x01
const FORCED_DRAIN = 0x08

export interface Worker {
  readonly pid: number
  /** It takes no new connection. */
  readonly isFormer: boolean
}

export const down = (): TaskFailure => new TaskFailure('PROXY_DOWN', 'The proxy of the host did not answer')

export function reloadsIn(text: string): { done: number; failed: number } {
  const [, done, failed = '0'] = /^\d+\s+master\s+(\d+)(?: \[failed: (\d+)\])?/m.exec(text) ?? []
  if (done === undefined) throw down()
  return { done: Number(done), failed: Number(failed) }
}

export function reloadedIn(text: string): boolean | undefined {
  const told = /^Success=([01])$/m.exec(text)?.[1]
  return told === undefined ? undefined : told === '1'
}

/** Since 3.1, the worker that goes on after a reload that failed is among the old ones: the newest of them. */
export function workersIn(text: string): Worker[] {
  const [now = '', old = ''] = text.split('# old workers')
  const rows = (part: string) =>
    [...part.matchAll(/^(\d+)\s+worker\s+(\d+)/gm)].map(([, pid, reloads]) => [Number(pid), Number(reloads)] as const)
  const current = rows(now).map(([pid]) => pid)
  const former = rows(old)
  const newest = Math.min(...former.map(([, reloads]) => reloads))
  const isFormer = (reloads: number) => current.length > 0 || reloads > newest
  return [
    ...current.map((pid) => ({ pid, isFormer: false })),
    ...former.map(([pid, reloads]) => ({ pid, isFormer: isFormer(reloads) })),
  ]
}

/** Empty for a backend that the worker does not know. */
export function serversIn(text: string, sessions: ReadonlyMap<string, number>): ServerNow[] {
  return text
    .split('\n')
    .filter((line) => /^\d+ \S+ \d+ /.test(line))
    .map((line) => {
      const fields = line.split(' ')
      const [name, address, admin, port] = [fields[3]!, fields[4]!, Number(fields[6]), fields[18]!]
      const state = admin & FORCED_MAINT ? 'MAINT' : admin & FORCED_DRAIN ? 'DRAIN' : 'READY'
      return { name, place: `${address}:${port}`, state, sessions: sessions.get(name) ?? 0 }
    })
}

/** By the name of the server. */
export const sessionsIn = (text: string): Map<string, number> =>
  new Map(rowsIn(text).map(({ svname, scur }) => [svname!, Number(scur)]))

/**
 * Connections that work on no request, and requests that have no backend yet.
 * @param stat of the frontends @param sess all requests
 */
export function waitingIn(stat: string, sess: string): number {
  const names = new Set(rowsIn(stat).map(({ pxname }) => pxname!))
  const connections = rowsIn(stat).reduce((sum, { scur }) => sum + Number(scur), 0)
  const served = [...sess.matchAll(/ fe=(\S+) be=(\S+) srv=(\S+) /g)].filter(
    ([, frontend, , server]) => names.has(frontend!) && server !== '<none>',
  )
  return Math.max(0, connections - served.length)
}

/** Rows of a table with a head, by the names of its columns. */
function rowsIn(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.trim().split('\n')
  const columns = head.replace(/^# /, '').split(',')
  return lines.map((line) => {
    const fields = line.split(',')
    return Object.fromEntries(columns.map((name, at) => [name, fields[at] ?? '']))
  })
}
