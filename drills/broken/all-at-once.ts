/** Loaded before a panel: each request appears to have a connection of its own, and each answer bytes of its own. */
import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { CachedRepresentation } from '../../src/kernel/http/cached-representation.ts'

const create = http.createServer

http.createServer = ((options: http.ServerOptions, listener: http.RequestListener) =>
  create(options, (request, response) => {
    Object.defineProperty(request, 'socket', { value: new Proxy(request.socket, {}) })
    listener(request, response)
  })) as typeof http.createServer
syncBuiltinESMExports()

const { representationFor } = CachedRepresentation.prototype
CachedRepresentation.prototype.representationFor = async function anew(this: CachedRepresentation, wanted) {
  const { bytes, headers } = await representationFor.call(this, wanted)
  return bytes ? { headers, bytes: Buffer.from(bytes) } : { headers }
}
