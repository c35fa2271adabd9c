/** The floor under a poll: node:http alone, which holds each request for its waitMs. It runs as a process of its own. */
import { createServer } from 'node:http'

const NO_CONTENT = 204

const server = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const { waitMs } = JSON.parse(Buffer.concat(pieces).toString()) as { readonly waitMs: number }
    const timer = setTimeout(() => response.writeHead(NO_CONTENT).end(), waitMs)
    response.on('close', () => clearTimeout(timer))
  })
})
server.listen(Number(process.env['PORT']), '127.0.0.1', () => console.log('the long poll listens'))
