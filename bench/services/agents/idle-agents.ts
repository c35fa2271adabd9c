/** Agents that only poll, in a process that is not measured: each holds one connection and asks again after each answer. */
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { RUN_HEADER, SERVER_HEADER } from '../../../src/tasks/protocol.ts'
import { isWhole, requestBytes } from '../load.ts'
import type { EnrolledServer } from './enrol.ts'

export interface IdleAgents {
  readonly port: number
  readonly waitMs: number
  readonly agents: readonly EnrolledServer[]
}

/** Connections are opened one after the other, over this time, as agents are in reality. */
const SPREAD = 0.9
const STATUS_AT = 'HTTP/1.1 '.length
const PATH = '/api/agent/poll'
const BEAT = {
  cpuPercent: 3.5,
  memoryBytes: 8_000_000_000,
  memoryUsedBytes: 2_000_000_000,
  diskBytes: 100_000_000_000,
  diskUsedBytes: 20_000_000_000,
  load: 0.1,
  containers: 3,
  engine: 'UP',
  plans: {},
}

let polls = 0
let connected = 0

function poll(port: number, request: Buffer): void {
  const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
  let received = ''
  socket.on('error', (error) => {
    throw error
  })
  socket.on('close', () => {
    throw new Error('The panel closed the connection of an agent')
  })
  socket.on('connect', () => {
    connected += 1
    socket.write(request)
  })
  socket.on('data', (text: string) => {
    received += text
    if (!isWhole(received)) return
    // A poll that tells a beat hears when the next one is due.
    if (!received.startsWith('200', STATUS_AT)) throw new Error(`A poll is answered ${received.slice(STATUS_AT)}`)
    received = ''
    polls += 1
    socket.write(request)
  })
}

async function start({ port, waitMs, agents }: IdleAgents): Promise<void> {
  const body = JSON.stringify({ waitMs, free: { build: 8, io: 4, quick: 8, exec: 10 }, holding: [], beat: BEAT })
  for (const { serverId, token } of agents) {
    const identity = { [SERVER_HEADER]: serverId, [RUN_HEADER]: randomUUID(), authorization: `Bearer ${token}` }
    poll(port, requestBytes('POST', PATH, { ...identity, 'content-type': 'application/json' }, body))
    await pause((waitMs * SPREAD) / agents.length)
  }
}

process.on('message', (message: IdleAgents | 'count') => {
  if (message === 'count') process.send!({ polls, connected })
  else void start(message)
})
process.on('disconnect', () => process.exit())
