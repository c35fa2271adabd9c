/**
 * Promise H12: one socket blocks the event loop for at most 50 ms and takes at most 50 MB, whatever it
 * pipelines or does not read.
 */
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Drill } from './drill.ts'
import { address, onPanels } from './panel-site.ts'

/** As many as may wait on a connection, and far more. */
const PIPELINED = [60, 400]
const LOOP_MS_MAX = 50
const BYTES_MAX = 50 * 1_024 * 1_024
/** A busy machine delays even an idle process, so the shortest delay of this many tries counts. */
const TRIES = 5
const TRY_MS = 1_000
const PATH = '/api/openapi.json'

export const pipelining: Drill = {
  name: 'pipelining',
  does: `one socket asks for the API's document ${PIPELINED.join(' and ')} times at once, and reads nothing`,
  breaks: 'all requests of a socket are answered at once, each with its own copy of the document',
  run: ({ directory, isBroken }) =>
    onPanels(directory, async (place) => {
      const broken = isBroken ? 'all-at-once.ts' : undefined
      const port = await place.panel(broken, { METRICS_ALLOW: '2001:db8::/32' })
      const complaints: string[] = []
      const notes: string[] = []
      let tries = 0
      for (const requests of PIPELINED) {
        const { loopMs, bytes } = await best(port, requests)
        tries += TRIES
        notes.push(`${requests}: ${Math.round(loopMs)} ms and ${Math.round(bytes / 1_048_576)} MB`)
        if (loopMs > LOOP_MS_MAX)
          complaints.push(`${requests} requests hold the event loop for ${Math.round(loopMs)} ms`)
        if (bytes > BYTES_MAX) complaints.push(`${requests} requests take ${Math.round(bytes / 1_048_576)} MB`)
      }
      return { acknowledged: tries, found: tries, lost: 0, doubled: 0, broken: complaints, note: notes.join(', ') }
    }),
}

interface Held {
  readonly loopMs: number
  readonly bytes: number
}

async function best(port: number, requests: number): Promise<Held> {
  await fetch(`http://127.0.0.1:${port}${PATH}`).then((response) => response.bytes())
  const before = await figures(port)
  const tries: Held[] = []
  for (let left = TRIES; left > 0; left -= 1) tries.push(await held(port, requests))
  // Memory is taken once and reused, so it is compared with the value before all tries.
  const most = Math.max(...tries.map(({ bytes }) => bytes))
  return { loopMs: Math.min(...tries.map(({ loopMs }) => loopMs)), bytes: most - before.bytes }
}

/** What one such socket costs the process while it is open. */
async function held(port: number, requests: number): Promise<Held> {
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(requests)),
  )
  socket.pause().on('error', () => {})
  await pause(TRY_MS)
  const after = await figures(port)
  socket.destroy()
  return after
}

/** The longest delay since the last call, and the current memory of the process. */
async function figures(port: number): Promise<Held> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { 'x-forwarded-for': address() } })
  const text = await response.text()
  const figure = (name: string): number => {
    const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(text) ?? []
    if (value === undefined) throw new Error(`/metrics has no ${name}: ${response.status}`)
    return Number(value)
  }
  return { loopMs: figure('nodejs_eventloop_lag_max_seconds') * 1_000, bytes: figure('process_resident_memory_bytes') }
}
