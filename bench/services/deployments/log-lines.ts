/** Lines of a container: by `docker logs --follow`, by one reader of the panel, and by many of them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { ShopSite } from '../../../drills/shop-site.ts'
import { median } from '../../../scripts/figures/spread.ts'
import { moreAccounts } from './accounts.ts'

const ROUNDS = 5
/** Until all readers wait for lines. */
const BEFORE_MS = 500
const ACCOUNTS = 5
/** As many as an account may have. */
const STREAMS = 10
export const VIEWERS = ACCOUNTS * STREAMS

/** Lines a second. */
export interface LogFigures {
  readonly byEngine: number
  readonly byPanel: number
  /** Of all viewers together. */
  readonly toMany: number
  readonly toManyByHand: number
}

/** A reader begins with what was said before, so each measurement has a last line of its own. */
let measured = 0
const lastLine = (): string => `that was the last line of ${measured}`

/** Written to the output of the program itself. */
const saying = (lines: number): readonly string[] => [
  'sh',
  '-c',
  `i=0; while [ $i -lt ${lines} ]; do i=$((i+1)); echo "line $i of what an application says in a busy hour"; done >/proc/1/fd/1; echo '${lastLine()}' >/proc/1/fd/1`,
]

type Reader = { readonly over: Promise<void>; close(): void }

/** Counts until the last line. */
function counting(hear: (each: (text: string) => void) => () => void): Reader {
  const { promise, resolve } = Promise.withResolvers<void>()
  let end = ''
  const last = lastLine()
  const close = hear((piece) => {
    const seen = end + piece
    if (seen.includes(last)) resolve()
    end = seen.slice(-last.length)
  })
  return { over: promise, close }
}

const byEngine = (socketPath: string, id: string, hear: (piece: string) => void) => {
  const child = spawn('docker', ['logs', '--follow', '--tail', '0', id], {
    env: { ...process.env, DOCKER_HOST: `unix://${socketPath}` },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  child.stdout.setEncoding('utf8').on('data', hear)
  return () => void child.kill()
}

/** A reader of server-sent events. @returns when it is answered */
async function bySse(url: string, headers: Record<string, string> = {}): Promise<Reader> {
  const asked = get(url, { agent: false, headers })
  const [response] = await once(asked, 'response')
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`)
  response.setEncoding('utf8').on('error', () => {})
  asked.on('error', () => {})
  return counting((hear) => {
    response.on('data', hear)
    return () => void asked.destroy()
  })
}

/** Each begins with a read of the server, of which 20 may be open at once. */
async function inTurn(opening: readonly (() => Promise<Reader>)[]): Promise<Reader[]> {
  const opened: Reader[] = []
  for (const open of opening) opened.push(await open())
  return opened
}

/** What `docker logs` says, as events to all that read. */
async function sseByHand(socketPath: string, id: string) {
  const readers = new Set<ServerResponse>()
  const server = createServer((_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    readers.add(response)
  })
  let nth = 0
  let rest = ''
  const close = byEngine(socketPath, id, (piece) => {
    const lines = (rest + piece).split('\n')
    rest = lines.pop()!
    const frames = lines.map((text) => `event: line\nid: ${(nth += 1)}\ndata: ${JSON.stringify({ text })}\n\n`).join('')
    for (const each of readers) each.write(frames)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      close()
      server.close().closeAllConnections()
    },
  }
}

/** Rates that can be measured again and again, each of a new container: some engines lose lines where they begin a new file. */
export async function openLogs(site: ShopSite, lines: number) {
  const { socketPath } = site.engine
  const accounts = [site.headers(), ...(await moreAccounts(site, ACCOUNTS - 1))]
  const many = Array.from({ length: VIEWERS }, (_, nth) => nth)

  async function rate(open: (id: string) => Promise<readonly Reader[]>): Promise<number> {
    await site.over(await site.ask('restart'))
    await site.quiet()
    const id = await site.container()
    const readers = await open(id)
    await pause(BEFORE_MS)
    const begunMs = performance.now()
    await site.runInside(id, saying(lines))
    await Promise.all(readers.map(({ over }) => over))
    const tookMs = performance.now() - begunMs
    for (const each of readers) each.close()
    measured += 1
    return (readers.length * lines * 1_000) / tookMs
  }

  return {
    byEngine: () => rate(async (id) => [counting((hear) => byEngine(socketPath, id, hear))]),
    byPanel: () => rate(async () => [await bySse(site.logsUrl, site.headers())]),
    toMany: () => rate(() => inTurn(many.map((nth) => () => bySse(site.logsUrl, accounts[nth % ACCOUNTS])))),
    async toManyByHand(): Promise<number> {
      let close = () => {}
      const found = await rate(async (id) => {
        const server = await sseByHand(socketPath, id)
        close = server.close
        return inTurn(many.map(() => () => bySse(server.url)))
      })
      close()
      return found
    },
  } satisfies Record<keyof LogFigures, () => Promise<number>>
}

/** Medians. */
export async function measureLogs(site: ShopSite, lines: number): Promise<LogFigures> {
  const rates = await openLogs(site, lines)
  const all: LogFigures[] = []
  for (let nth = 0; nth < ROUNDS; nth += 1)
    all.push({
      byEngine: await rates.byEngine(),
      byPanel: await rates.byPanel(),
      toMany: await rates.toMany(),
      toManyByHand: await rates.toManyByHand(),
    })
  const middle = (of: keyof LogFigures): number => median(all.map((each) => each[of]))
  return {
    byEngine: middle('byEngine'),
    byPanel: middle('byPanel'),
    toMany: middle('toMany'),
    toManyByHand: middle('toManyByHand'),
  }
}
