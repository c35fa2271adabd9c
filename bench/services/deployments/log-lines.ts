/** Lines of a container: by `docker logs --follow`, by one reader of the panel, and by many of them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as pause } from 'node:timers/promises'
import type { ShopSite } from '../../../drills/shop-site.ts'
import { median } from '../../../scripts/figures/spread.ts'
import { moreAccounts } from './accounts.ts'

const ROUNDS = 5
/** Until all readers wait for lines. */
const BEFORE_MS = 500
/** Until the panel has what the container before has said. */
const REST_MS = 3_000
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

/** Counts until the last line. It costs little: on few cores, what readers do takes from what is measured. */
function counting(hear: (each: (piece: Buffer) => void) => () => void): Reader {
  const { promise, resolve } = Promise.withResolvers<void>()
  const last = Buffer.from(lastLine())
  let end = Buffer.alloc(0)
  const close = hear((piece) => {
    const cut = Buffer.concat([end, piece.subarray(0, last.length)])
    if (piece.includes(last) || cut.includes(last)) resolve()
    end = Buffer.concat([end, piece.subarray(-last.length)]).subarray(-last.length)
  })
  return { over: promise, close }
}

const byEngine = (socketPath: string, id: string, hear: (piece: Buffer) => void) => {
  const child = spawn('docker', ['logs', '--follow', '--tail', '0', id], {
    env: { ...process.env, DOCKER_HOST: `unix://${socketPath}` },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  child.stdout.on('data', hear)
  return () => void child.kill()
}

/** A reader of server-sent events. @returns when it is answered */
async function bySse(url: string, headers: Record<string, string> = {}): Promise<Reader> {
  const asked = get(url, { agent: false, headers })
  const [response] = await once(asked, 'response')
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`)
  response.on('error', () => {})
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
  const decoder = new StringDecoder('utf8')
  const close = byEngine(socketPath, id, (piece) => {
    const lines = (rest + decoder.write(piece)).split('\n')
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

/** Rates that can be measured again and again, each round on a new container: some engines lose lines where they begin a new file. */
export async function openLogs(site: ShopSite, lines: number) {
  const { socketPath } = site.engine
  const accounts = [site.headers(), ...(await moreAccounts(site, ACCOUNTS - 1))]
  const many = Array.from({ length: VIEWERS }, (_, nth) => nth)

  let id = ''

  async function rate(readers: readonly Reader[]): Promise<number> {
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
    /** Before a round. */
    async begin(): Promise<void> {
      await site.over(await site.ask('restart'))
      await site.quiet()
      await pause(REST_MS)
      id = await site.container()
    },
    byEngine: () => rate([counting((hear) => byEngine(socketPath, id, hear))]),
    byPanel: async () => rate([await bySse(site.logsUrl, site.headers())]),
    toMany: async () => rate(await inTurn(many.map((nth) => () => bySse(site.logsUrl, accounts[nth % ACCOUNTS])))),
    async toManyByHand(): Promise<number> {
      const server = await sseByHand(socketPath, id)
      const found = await rate(await inTurn(many.map(() => () => bySse(server.url))))
      server.close()
      return found
    },
  } satisfies Record<keyof LogFigures, () => Promise<number>> & { begin(): Promise<void> }
}

/** Medians. */
export async function measureLogs(site: ShopSite, lines: number): Promise<LogFigures> {
  const rates = await openLogs(site, lines)
  const all: LogFigures[] = []
  for (let nth = 0; nth < ROUNDS; nth += 1) {
    await rates.begin()
    all.push({
      byEngine: await rates.byEngine(),
      byPanel: await rates.byPanel(),
      toMany: await rates.toMany(),
      toManyByHand: await rates.toManyByHand(),
    })
  }
  const middle = (of: keyof LogFigures): number => median(all.map((each) => each[of]))
  return {
    byEngine: middle('byEngine'),
    byPanel: middle('byPanel'),
    toMany: middle('toMany'),
    toManyByHand: middle('toManyByHand'),
  }
}
