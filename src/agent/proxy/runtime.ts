/**
 * Commands to the processes of HAProxy, by the socket of their master. After a reload, former workers go on with their
 * connections, and are told of new targets too. Source: HAProxy management guide, 9.3 and 9.4.
 */
import { connect } from 'node:net'
import { TaskFailure } from '../performer.ts'
import { HOLD } from './config-text.ts'
import { movesOf } from './moves.ts'
import type { ServerNow } from './moves.ts'
import { placeOf } from './state.ts'
import type { BackendTargets, Target } from './state.ts'

const ANSWER_MS = 5_000
const ANSWER_BYTES_MAX = 16 * 1_024 * 1_024
const WORD = /^[A-Za-z0-9_.:/@!-]+$/
const FORCED_MAINT = 0x01
const FORCED_DRAIN = 0x08

export interface Worker {
  readonly pid: number
  /** It takes no new connection. */
  readonly isFormer: boolean
}

export interface Runtime {
  /** @throws TaskFailure PROXY_DOWN */
  workers(): Promise<Worker[]>
  /** Of the configuration that the worker has loaded. */
  shape(worker: Worker): Promise<string | undefined>
  /** Since the start of the master. */
  reloads(): Promise<{ readonly done: number; readonly failed: number }>
  /** Resolves before it has been done. */
  reload(): Promise<void>
  /** Tells one worker the targets of a backend. @returns false if it has too few slots */
  bring(worker: Worker, backend: string, wanted: BackendTargets): Promise<boolean>
  /** The requests and connections of targets, in all workers. */
  sessionsOf(backend: string, targets: readonly Target[]): Promise<number>
  /** Nothing leads to targets any more. */
  close(backend: string, targets: readonly Target[]): Promise<void>
}

const down = (): TaskFailure => new TaskFailure('PROXY_DOWN', 'The proxy of the host did not answer')

function asking(socketPath: string): (...words: readonly string[]) => Promise<string> {
  return async (...words) => {
    const wrong = words.find((word) => !WORD.test(word))
    if (wrong !== undefined) throw new Error(`A command of the proxy cannot have the word ${JSON.stringify(wrong)}`)
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    let [text, bytes] = ['', 0]
    const socket = connect(socketPath)
      .setEncoding('utf8')
      .setTimeout(ANSWER_MS, () => socket.destroy(down()))
      .on('data', (piece: string) => {
        bytes += piece.length
        text += piece
        if (bytes > ANSWER_BYTES_MAX) socket.destroy(down())
      })
      .on('error', () => reject(down()))
      .on('close', () => resolve(text))
    socket.end(`${words.join(' ')}\n`)
    return promise
  }
}

export function runtimeOf(masterSocket: string): Runtime {
  const ask = asking(masterSocket)
  const of = ({ pid }: Worker, ...words: readonly string[]): Promise<string> => ask(`@!${pid}`, ...words)

  async function serversOf(worker: Worker, backend: string): Promise<ServerNow[]> {
    const sessions = sessionsIn(await of(worker, 'show', 'stat', backend, '4', '-1'))
    return serversIn(await of(worker, 'show', 'servers', 'state', backend), sessions)
  }

  const workers = async (): Promise<Worker[]> => {
    const found = workersIn(await ask('show', 'proc'))
    if (!found.some(({ isFormer }) => !isFormer)) throw down()
    return found
  }

  /** A former worker may end meanwhile. */
  async function inEach<Result>(work: (worker: Worker) => Promise<Result>): Promise<Result[]> {
    const all = (await workers()).map(async (worker) => {
      const done = work(worker).then((result) => [result])
      return worker.isFormer ? done.catch(() => []) : done
    })
    return (await Promise.all(all)).flat()
  }

  return {
    workers,
    shape: async (worker) => /^description: (\w+)$/m.exec(await of(worker, 'show', 'info'))?.[1],
    reloads: async () => reloadsIn(await ask('show', 'proc')),
    // The master closes its socket when it begins.
    reload: async () => void (await ask('reload').catch(() => {})),
    async bring(worker, backend, wanted) {
      const { commands, isFull } = movesOf(backend, await serversOf(worker, backend), wanted)
      for (const words of commands) await of(worker, ...words)
      if (isFull || commands.length === 0) return !isFull
      const left = movesOf(backend, await serversOf(worker, backend), wanted)
      if (left.commands.length > 0)
        throw new TaskFailure('PROXY_DOWN', 'The proxy of the host did not take its targets')
      return true
    },
    async sessionsOf(backend, targets) {
      const places = new Set(targets.map(placeOf))
      const each = await inEach(async (worker) =>
        (await serversOf(worker, backend)).reduce(
          (sum, { place, sessions }) => sum + (places.has(place) ? sessions : 0),
          0,
        ),
      )
      return each.reduce((sum, sessions) => sum + sessions, 0)
    },
    async close(backend, targets) {
      const places = new Set(targets.map(placeOf))
      await inEach(async (worker) => {
        for (const { name, place, state } of await serversOf(worker, backend))
          if (name !== HOLD && places.has(place) && state !== 'MAINT')
            await of(worker, 'set', 'server', `${backend}/${name}`, 'state', 'maint')
      })
    },
  }
}

function reloadsIn(text: string): { done: number; failed: number } {
  const [, done, failed = '0'] = /^\d+\s+master\s+(\d+)(?: \[failed: (\d+)\])?/m.exec(text) ?? []
  if (done === undefined) throw down()
  return { done: Number(done), failed: Number(failed) }
}

export function workersIn(text: string): Worker[] {
  const [now = '', former = ''] = text.split('# old workers')
  const pids = (part: string) => [...part.matchAll(/^(\d+)\s+worker\s/gm)].map(([, pid]) => Number(pid))
  return [
    ...pids(now).map((pid) => ({ pid, isFormer: false })),
    ...pids(former).map((pid) => ({ pid, isFormer: true })),
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

/** By the name of the server, from a table with a head. */
export function sessionsIn(text: string): Map<string, number> {
  const [head = '', ...lines] = text.split('\n')
  const columns = head.replace(/^# /, '').split(',')
  const [name, sessions] = [columns.indexOf('svname'), columns.indexOf('scur')]
  const rows = lines.map((line) => line.split(',')).filter((row) => row.length > sessions)
  return new Map(rows.map((row) => [row[name]!, Number(row[sessions])]))
}
