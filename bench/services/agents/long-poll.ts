/** The floor under a poll: node:http alone, which holds each request for its waitMs. It runs as a process of its own. */
import { createServer } from 'node:http'

/** As the panel says that there is nothing to do, and when the next beat is due. */
const nothing = () =>
  JSON.stringify({
    tasks: [],
    asks: [],
    follows: [],
    cancel: [],
    drop: [],
    now: new Date().toISOString(),
    nextMs: 50_000,
  })

const server = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const { waitMs } = JSON.parse(Buffer.concat(pieces).toString()) as { readonly waitMs: number }
    const timer = setTimeout(() => response.setHeader('content-type', 'application/json').end(nothing()), waitMs)
    response.on('close', () => clearTimeout(timer))
  })
})
server.listen(Number(process.env['PORT']), '127.0.0.1', () => console.log('the long poll listens'))
