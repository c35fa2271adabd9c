/**
 * Promise H11: half-sent bodies of one address block displace no request of another block, and are gone
 * within 8 s.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Drill } from './drill.ts'
import { address, ask, onPanels, signingIn } from './panel-site.ts'

const HALF_SENT = 2_100
const HONEST = 40
/** H1 and H11. */
const GONE_WITHIN_MS = 8_000
/** A body that takes this long is slow, but within the limit of a client. */
const SLOW_MS = 2_000
/** Each tenth is slow from the start: its headers take nearly the allowed time. */
const SLOW_HEADERS_MS = 2_000
const WRONG = 'quite another passphrase 77'
const BODY = JSON.stringify({ email: 'nobody@panel.test', password: WRONG })

export const halfSent: Drill = {
  name: 'half-sent',
  does: `${HALF_SENT} sign-ins of one /48 stop in the middle of their bodies, some after slow headers; other clients sign in and read`,
  breaks: 'a body that is still arriving holds a place of the requests in work',
  run: ({ directory, isBroken }) =>
    onPanels(directory, async (place) => {
      const port = await place.panel(isBroken ? 'half-sent-in-flight.ts' : undefined)
      const slow = begun(port, address())
      const many = Array.from({ length: HALF_SENT }, (_, nth) =>
        begun(port, `2001:db8:bad:${nth.toString(16)}::1`, nth % 10 === 0 ? SLOW_HEADERS_MS : 0),
      )
      await Promise.all(many.map(({ socket }) => once(socket, 'connect')))
      await pause(SLOW_MS)
      slow.socket.write(BODY.slice(1))
      const statuses: number[] = []
      for (let nth = 0; nth < HONEST; nth += 1) {
        const asked =
          nth % 2 ? { path: '/api/auth/setup-status', from: address() } : signingIn(`no-${nth}@panel.test`, WRONG)
        statuses.push((await ask(port, asked)).status)
      }
      const ready = await readiness(port)
      await Promise.race([Promise.all(many.map(({ gone }) => gone)), pause(GONE_WITHIN_MS)])
      const left = many.filter(({ socket }) => !socket.closed).length
      const honest = [...statuses, slow.status()]
      const lost = honest.filter((status) => status !== 200 && status !== 401).length
      for (const { socket } of [slow, ...many]) socket.destroy()
      const longestMs = Math.max(...many.map(({ openMs }) => openMs()))
      const isLate = left > 0 || longestMs > GONE_WITHIN_MS
      return {
        acknowledged: honest.length,
        found: honest.length - lost,
        lost,
        doubled: 0,
        broken: [
          ...(isLate ? [`${left} half-sent requests remain, or were open for more than ${GONE_WITHIN_MS} ms`] : []),
          ...(ready === 'degraded' ? [] : [`readiness says ${ready} while requests are turned away`]),
        ],
        note: `${HONEST} requests and a slow one of other addresses, a half-sent one open for ${Math.round(longestMs)} ms at most`,
      }
    }),
}

interface Begun {
  readonly socket: Socket
  readonly gone: Promise<unknown>
  /** The status of the answer; 0 without one. */
  status(): number
  /** From the connection to its end. */
  openMs(): number
}

/** A sign-in of which one byte of the body is sent. */
function begun(port: number, from: string, headersMs = 0): Begun {
  let [heard, sinceMs, openMs] = ['', 0, 0]
  const socket = connect(port, '127.0.0.1', () => {
    sinceMs = performance.now()
    socket.write(
      `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\nContent-Type: application/json\r\n`,
    )
    setTimeout(() => socket.write(`Content-Length: ${BODY.length}\r\n\r\n{`), headersMs)
  })
  socket.on('data', (piece) => (heard += String(piece))).on('error', () => {})
  const gone = new Promise<void>((resolve) =>
    socket.once('close', () => {
      openMs = performance.now() - sinceMs
      resolve()
    }),
  )
  return { socket, gone, status: () => Number(heard.slice(9, 12)), openMs: () => openMs }
}

async function readiness(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/health/ready`)
  const { status } = (await response.json()) as { status: string }
  return status
}
