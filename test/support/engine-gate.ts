/** A way to the socket of an engine on which a test holds up archives, as a slow disk does. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'

const LOAD = 'POST /v1.41/images/load'
/** Passes of an archive that is held up. */
const BYTES = 2_000_000

export interface EngineGate {
  readonly socketPath: string
  /** Whether the next archives are held up. */
  hold(isHeld: boolean): void
  /** How many are held up now. */
  held(): number
  close(): void
}

export async function engineGate(enginePath: string, socketPath: string): Promise<EngineGate> {
  const waiting = new Set<Socket>()
  let isHeld = false
  const server = createServer((from) => {
    const to = connect(enginePath)
    let left = Infinity
    from.on('data', (piece) => {
      if (isHeld && piece.includes(LOAD)) left = BYTES
      // What is held up is read, so that the end of its sender is seen.
      if (left > 0) to.write(piece)
      else waiting.add(from)
      left -= piece.length
    })
    to.on('data', (piece) => from.write(piece))
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const)
      one
        .on('error', () => {})
        .on('close', () => {
          waiting.delete(from)
          other.destroy()
        })
  })
  await once(server.listen(socketPath), 'listening')
  return {
    socketPath,
    hold: (next) => void (isHeld = next),
    held: () => waiting.size,
    close: () => void server.close(),
  }
}
