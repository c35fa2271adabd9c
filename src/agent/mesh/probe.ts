/** Measures the link to a peer: one round trip over a connection that is open. */
import { connect } from 'node:net'
import type { MeshPeer } from '../../tasks/mesh.ts'
import { ANSWER_BYTES, newCall } from './messages.ts'

const PROBE_MS = 3_000

export interface Target extends MeshPeer {
  readonly address: string
}

/** @returns undefined if the peer cannot be reached, or is not the one that it should be */
export function roundTripTo(
  { serverId: to, address: host, port, key }: Target,
  from: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>()
  const { call, isAnswer } = newCall({ from, to }, key)
  let [sentMs, said] = [0, Buffer.alloc(0) as Buffer]
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)])
  const socket = connect({ host, port, signal: bounded, noDelay: true })
    .on('connect', () => {
      sentMs = performance.now()
      socket.write(call)
    })
    .on('data', (bytes: Buffer) => {
      said = Buffer.concat([said, bytes])
      if (said.length < ANSWER_BYTES) return
      resolve(isAnswer(said) ? performance.now() - sentMs : undefined)
      socket.destroy()
    })
    .on('error', () => {})
    .on('close', () => resolve(undefined))
  return promise
}
