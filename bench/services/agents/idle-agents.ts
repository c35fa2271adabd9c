/** Agents that only poll, in a process that is not measured: each holds one connection and asks again after each answer. */
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { isWhole } from '../load.ts'
import type { EnrolledServer } from './enrol.ts'
import { agentRequest, BEAT, pollOf } from './requests.ts'

export interface IdleAgents {
  readonly port: number
  readonly waitMs: number
  readonly agents: readonly EnrolledServer[]
}

/** Connections are opened one after the other, over this time, as agents are in reality. */
const SPREAD = 0.9
const STATUS_AT = 'HTTP/1.1 '.length

/** A process that the machine has held up meets connections whose time is over. Agents repeat a poll that is answered so. */
const LATE = '408'
const LATE_MAX = 10

let polls = 0
let connected = 0
let late = 0

function poll(port: number, request: Buffer): void {
  const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
  let received = ''
  let isLate = false
  socket.on('error', (error) => {
    throw error
  })
  socket.on('close', () => {
    if (!isLate || late > LATE_MAX) throw new Error('The panel closed the connection of an agent')
    connected -= 1
    poll(port, request)
  })
  socket.on('connect', () => {
    connected += 1
    socket.write(request)
  })
  socket.on('data', (text: string) => {
    received += text
    if (!isWhole(received)) return
    isLate = received.startsWith(LATE, STATUS_AT)
    if (isLate) {
      late += 1
      return
    }
    // A poll that tells a beat hears when the next one is due.
    if (!received.startsWith('200', STATUS_AT)) throw new Error(`A poll is answered ${received.slice(STATUS_AT)}`)
    received = ''
    polls += 1
    socket.write(request)
  })
}

async function start({ port, waitMs, agents }: IdleAgents): Promise<void> {
  for (const agent of agents) {
    poll(port, agentRequest(agent, 'poll', pollOf(waitMs, { beat: BEAT })))
    await pause((waitMs * SPREAD) / agents.length)
  }
}

process.on('message', (message: IdleAgents | 'count') => {
  if (message === 'count') process.send!({ polls, connected })
  else void start(message)
})
process.on('disconnect', () => process.exit())
