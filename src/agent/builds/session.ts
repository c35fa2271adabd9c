/**
 * What BuildKit asks of the agent during a build: secrets and logins, over a connection that the engine takes over. They
 * are handed out when a step needs them, and are in no argument, layer or cache.
 * Sources: secrets.proto and auth.proto of BuildKit, gRPC over HTTP/2, gRPC Health Checking Protocol.
 */
import { performServerHandshake } from 'node:http2'
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import type { BuildSecrets } from '../../tasks/builds.ts'
import type { EngineUpgrade } from '../engine-call.ts'
import { TaskFailure } from '../performer.ts'
import { bytesField, numberField, readFields, textOf } from './protobuf.ts'
import { loginAt } from './registry-hosts.ts'

const HEALTH = '/grpc.health.v1.Health/Check'
const SECRET = '/moby.buildkit.secrets.v1.Secrets/GetSecret'
const CREDENTIALS = '/moby.filesync.v1.Auth/Credentials'

const SERVING = 1
const OK = 0
const NOT_FOUND = 5
const UNIMPLEMENTED = 12
/** Before each message: whether it is compressed, and its length. */
const PREFIX_BYTES = 5
/** What is asked are names. */
const ASKED_BYTES_MAX = 65_536

type Answer = Buffer | typeof NOT_FOUND
type Method = (asked: Buffer) => Answer

export interface BuildSession {
  readonly id: string
  close(): void
}

/** @throws TaskFailure ENGINE_DOWN */
export async function openSession(
  upgrade: EngineUpgrade,
  id: string,
  secrets: BuildSecrets,
  signal: AbortSignal,
): Promise<BuildSession> {
  const methods = methodsOf(secrets)
  const headers = {
    'X-Docker-Expose-Session-Uuid': id,
    'X-Docker-Expose-Session-Name': 'daybook',
    'X-Docker-Expose-Session-Grpc-Method': [...methods.keys()],
  }
  const socket = await upgrade('/session', signal, { protocol: 'h2c', headers })
  if (typeof socket === 'number')
    throw new TaskFailure('ENGINE_DOWN', `The container engine of the server opened no session: it answered ${socket}`)
  const session: ServerHttp2Session = performServerHandshake(socket)
  // A connection that is lost ends the build, which says so.
  session.on('error', () => {})
  socket.on('error', () => {})
  session.on('stream', (stream, headers) => void answer(stream, methods.get(String(headers[':path']))))
  return {
    id,
    close() {
      session.destroy()
      socket.destroy()
    },
  }
}

const methodsOf = ({ secrets, registries }: BuildSecrets): ReadonlyMap<string, Method> =>
  new Map<string, Method>([
    [HEALTH, () => numberField(1, SERVING)],
    [
      SECRET,
      (asked) => {
        const wanted = textOf(readFields(asked), 1)
        const found = secrets.find(({ name }) => name === wanted)
        return found ? bytesField(1, Buffer.from(found.value)) : NOT_FOUND
      },
    ],
    [
      CREDENTIALS,
      (asked) => {
        const login = loginAt(registries, textOf(readFields(asked), 1))
        // Without a login it pulls public images.
        if (!login) return Buffer.alloc(0)
        const [username, password] = [Buffer.from(login.username), Buffer.from(login.password)]
        return Buffer.concat([bytesField(1, username), bytesField(2, password)])
      },
    ],
  ])

async function answer(stream: ServerHttp2Stream, method: Method | undefined): Promise<void> {
  stream.on('error', () => {})
  const asked = await readMessage(stream).catch(() => undefined)
  if (stream.destroyed) return
  const answered = asked && method ? method(asked) : UNIMPLEMENTED
  const status = Buffer.isBuffer(answered) ? OK : answered
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': String(status) }))
  stream.end(Buffer.isBuffer(answered) ? framed(answered) : undefined)
}

function framed(message: Buffer): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix.writeUInt32BE(message.length, 1)
  return Buffer.concat([prefix, message])
}

async function readMessage(stream: ServerHttp2Stream): Promise<Buffer> {
  let all = Buffer.alloc(0)
  for await (const piece of stream as AsyncIterable<Buffer>) {
    all = Buffer.concat([all, piece])
    if (all.length > ASKED_BYTES_MAX) throw new RangeError('The call has too many bytes')
  }
  const length = all.readUInt32BE(1)
  if (all[0] !== 0 || all.length !== PREFIX_BYTES + length) throw new RangeError('The call is no message')
  return all.subarray(PREFIX_BYTES)
}
