/**
 * Commands to the processes of HAProxy, by the socket of their master. After a reload, former workers go on with their
 * connections, and take no new targets: each connection of a client may send them one more request. Source: HAProxy
 * management guide, 9.3 and 9.4.
 */
import { connect } from 'node:net'
import { TaskFailure } from '../performer.ts'
import { HOLD } from './config-text.ts'
import { movesOf } from './moves.ts'
import type { ServerNow } from './moves.ts'
import { down, reloadedIn, reloadsIn, serversIn, sessionsIn, waitingIn, workersIn } from './runtime-answers.ts'
import type { Worker } from './runtime-answers.ts'
import { placeOf } from './state.ts'
import type { BackendTargets, Target } from './state.ts'

const ANSWER_MS = 5_000
/** A worker that cannot open its ports tries again for seconds. */
const RELOAD_MS = 15_000
const ANSWER_BYTES_MAX = 16 * 1_024 * 1_024
const WORD = /^[A-Za-z0-9_.:/@!-]+$/
/** Kinds of rows of `show stat`. */
const [FRONTENDS, SERVERS] = ['1', '4']

export interface Runtime {
  /** @throws TaskFailure PROXY_DOWN */
  workers(): Promise<Worker[]>
  /** Of the configuration that the current worker has loaded. */
  shape(): Promise<string | undefined>
  /** Since the start of the master. */
  reloads(): Promise<{ readonly done: number; readonly failed: number }>
  /** @returns whether it was done; undefined: HAProxy before 2.7 does not say, and may not have done it yet */
  reload(): Promise<boolean | undefined>
  /** Tells the current worker the targets of a backend. @returns false if it has too few slots */
  bring(backend: string, wanted: BackendTargets): Promise<boolean>
  /** The requests and connections of targets, in all workers. */
  sessionsOf(backend: string, targets: readonly Target[]): Promise<number>
  /** Connections of clients to former workers that may send one more request, to a target of then. */
  waiting(): Promise<number>
  /** Nothing leads to targets any more. */
  close(backend: string, targets: readonly Target[]): Promise<void>
}

function asking(socketPath: string, answerMs = ANSWER_MS): (...words: readonly string[]) => Promise<string> {
  return async (...words) => {
    const wrong = words.find((word) => !WORD.test(word))
    if (wrong !== undefined) throw new Error(`A command of the proxy cannot have the word ${JSON.stringify(wrong)}`)
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    let [text, bytes] = ['', 0]
    const socket = connect(socketPath)
      .setEncoding('utf8')
      .setTimeout(answerMs, () => socket.destroy(down()))
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
    const sessions = sessionsIn(await of(worker, 'show', 'stat', backend, SERVERS, '-1'))
    return serversIn(await of(worker, 'show', 'servers', 'state', backend), sessions)
  }

  const workers = async (): Promise<Worker[]> => {
    const found = workersIn(await ask('show', 'proc'))
    if (!found.some(({ isFormer }) => !isFormer)) throw down()
    return found
  }

  async function current(): Promise<Worker> {
    return (await workers()).find(({ isFormer }) => !isFormer)!
  }

  /** A former worker may end meanwhile. */
  async function sumOf(all: readonly Worker[], count: (worker: Worker) => Promise<number>): Promise<number> {
    const counted = all.map((worker) => (worker.isFormer ? count(worker).catch(() => 0) : count(worker)))
    return (await Promise.all(counted)).reduce((sum, each) => sum + each, 0)
  }

  return {
    workers,
    shape: async () => /^description: (\w+)$/m.exec(await of(await current(), 'show', 'info'))?.[1],
    reloads: async () => reloadsIn(await ask('show', 'proc')),
    // Before 2.7, the master closes its socket when it begins.
    reload: async () => reloadedIn(await asking(masterSocket, RELOAD_MS)('reload').catch(() => '')),
    async bring(backend, wanted) {
      const worker = await current()
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
      return sumOf(await workers(), async (worker) =>
        (await serversOf(worker, backend))
          .filter(({ place }) => places.has(place))
          .reduce((sum, { sessions }) => sum + sessions, 0),
      )
    },
    async waiting() {
      const former = (await workers()).filter(({ isFormer }) => isFormer)
      return sumOf(former, async (worker) => {
        const connections = await of(worker, 'show', 'stat', '-1', FRONTENDS, '-1')
        return waitingIn(connections, await of(worker, 'show', 'sess'))
      })
    },
    async close(backend, targets) {
      const places = new Set(targets.map(placeOf))
      const worker = await current()
      for (const { name, place, state } of await serversOf(worker, backend))
        if (name !== HOLD && places.has(place) && state !== 'MAINT')
          await of(worker, 'set', 'server', `${backend}/${name}`, 'state', 'maint')
    },
  }
}
