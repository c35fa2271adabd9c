/**
 * A KurrentDB that speaks the real protocols over real gRPC, for the unmodified official client, where no
 * real server is available. It implements what the store needs: AppendRecords with checks, reads of streams
 * and of the whole log, subscriptions, server features.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Metadata, Server, ServerCredentials, ServerInterceptingCall, status } from '@grpc/grpc-js'
import type {
  sendUnaryData,
  ServerInterceptor,
  ServerUnaryCall,
  ServerWritableStream,
  UntypedServiceImplementation,
} from '@grpc/grpc-js'
import featuresGrpc from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/serverfeatures_grpc_pb.js'
import features from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/serverfeatures_pb.js'
import streamsV1Grpc from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_grpc_pb.js'
import streamsV1 from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js'
import streamsV2Grpc from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v2/streams/streams_grpc_pb.js'
import type streamsV2 from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v2/streams/streams_pb.js'
import { KurrentLog } from './kurrentdb-log.ts'
import type { LogRecord, WrittenRecord } from './kurrentdb-log.ts'
import {
  appendedMessage,
  checkFrom,
  confirmationMessage,
  eventMessage,
  notFoundMessage,
  recordFrom,
  sizeError,
  violationError,
} from './kurrentdb-wire.ts'

const TYPE = /^[\w.$:-]+$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const RECORD_BYTES_MAX = 4 * 1024 * 1024

const METHODS: readonly (readonly [since: number, service: string, method: string])[] = [
  [20, 'event_store.client.streams.streams', 'read'],
  [20, 'event_store.client.streams.streams', 'append'],
  [21, 'event_store.client.streams.streams', 'batchappend'],
  [25.1, 'kurrentdb.protocol.v2.streams.streamsservice', 'appendsession'],
  [26.1, 'kurrentdb.protocol.v2.streams.streamsservice', 'appendrecords'],
]

export interface KurrentDouble {
  readonly url: string
  readonly log: KurrentLog
  /** Loses the next answers to appends after the records were written, as a broken connection does. */
  loseAnswers(count: number): void
  /** Cuts all connections and stops. */
  stop(): void
}

/**
 * @param version the version that it reports, which decides its methods
 * @param appendMs the maximum random duration of an append: a real server guarantees no order for
 * simultaneous requests
 */
export async function kurrentDouble({
  version = 26.1,
  port = 0,
  log = new KurrentLog(),
  appendMs = 0,
} = {}): Promise<KurrentDouble> {
  let lost = 0
  const server = new Server({ 'grpc.max_receive_message_length': 64 * 1024 * 1024, interceptors: [headersAtOnce] })
  server.addService(streamsV1Grpc.StreamsService, { ...UNIMPLEMENTED, read: (call: ReadCall) => read(log, call) })
  server.addService(featuresGrpc.ServerFeaturesService, {
    getSupportedMethods: (_: unknown, answer: sendUnaryData<features.SupportedMethods>) =>
      answer(null, supported(version)),
  })
  if (version >= 26.1)
    server.addService(streamsV2Grpc.StreamsServiceService, {
      appendSession: unimplemented,
      async appendRecords(call: AppendCall, answer: AppendAnswer) {
        if (appendMs > 0) await pause(Math.random() * appendMs)
        appendRecords(log, call, (error, response) => {
          if (error || lost === 0) return answer(error, response)
          lost -= 1
          answer({ code: status.UNAVAILABLE, details: 'the connection broke' })
        })
      },
    })
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure())
  const sockets = new Set<Socket>()
  // Without Nagle's delay: gRPC writes an answer in several pieces, and each would wait for the client's
  // acknowledgement of the previous one.
  const listener = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket.on('error', () => {}))
    injector.injectConnection(socket)
  })
  listener.listen(port, '127.0.0.1')
  await once(listener, 'listening')
  const bound = (listener.address() as AddressInfo).port
  return {
    url: `kurrentdb://127.0.0.1:${bound}?tls=false`,
    log,
    loseAnswers: (count) => void (lost = count),
    stop() {
      listener.close()
      for (const socket of sockets) socket.destroy()
      server.forceShutdown()
    },
  }
}

/**
 * The client's reading half sends a request in two pieces with TCP_NODELAY off, so the second piece waits
 * until the first is acknowledged. A server that sends nothing takes 40 ms for that. So this server sends
 * headers at once.
 */
const headersAtOnce: ServerInterceptor = (_method, call) =>
  new ServerInterceptingCall(call, {
    start: (next) =>
      next({
        onReceiveMetadata(metadata, goOn) {
          call.sendMetadata(new Metadata())
          goOn(metadata)
        },
      }),
  })

type ReadCall = ServerWritableStream<streamsV1.ReadReq, streamsV1.ReadResp>
type AppendCall = ServerUnaryCall<streamsV2.AppendRecordsRequest, streamsV2.AppendRecordsResponse>
type AppendAnswer = sendUnaryData<streamsV2.AppendRecordsResponse>

function unimplemented(_: unknown, answer?: sendUnaryData<never>): void {
  answer?.({ code: status.UNIMPLEMENTED })
}

const UNIMPLEMENTED: UntypedServiceImplementation = {
  append: unimplemented,
  delete: unimplemented,
  tombstone: unimplemented,
  batchAppend: unimplemented,
}

function supported(version: number): features.SupportedMethods {
  const message = new features.SupportedMethods().setEventStoreServerVersion(`${version}.0`)
  for (const [, service, method] of METHODS.filter(([since]) => version >= since))
    message.addMethods(new features.SupportedMethod().setServiceName(service).setMethodName(method))
  return message
}

/** Refuses as the server does: no part of the append is written. */
function appendRecords(log: KurrentLog, { request }: AppendCall, answer: AppendAnswer): void {
  const records = request.getRecordsList().map(recordFrom)
  const large = records.find(({ data }) => data.length > RECORD_BYTES_MAX)
  if (large) return answer(sizeError(large, RECORD_BYTES_MAX))
  const problem = problemOf(records)
  if (problem) return answer({ code: status.INVALID_ARGUMENT, details: problem })
  const violations = log.violations(request.getChecksList().map(checkFrom))
  if (violations.length > 0) return answer(violationError(violations))
  answer(null, appendedMessage(log.append(records)))
}

function problemOf(records: readonly LogRecord[]): string | undefined {
  if (records.length === 0) return 'records must not be empty'
  const names = new Set(records.map(({ stream }) => stream))
  if (names.has('')) return 'stream must not be empty'
  // The real server takes these names for one stream, and writes to the wrong one.
  if (new Set([...names].map((name) => name.toUpperCase())).size < names.size) return 'streams differ only in capitals'
  if (records.some(({ type }) => !TYPE.test(type))) return 'schema name is malformed'
  if (records.some(({ id }) => !UUID.test(id))) return 'record id is malformed'
  return undefined
}

function read(log: KurrentLog, call: ReadCall): void {
  const options = call.request.getOptions()!
  const structured = !options.getUuidOption()?.hasString()
  const filter = passes(options)
  const send = (event: WrittenRecord) => call.write(eventMessage(event, structured))
  if (options.hasSubscription()) return subscribe(log, call, filter, send)
  const stream = options.getStream()
  const name = Buffer.from(stream?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString()
  if (stream && log.stream(name).length === 0) call.write(notFoundMessage(name))
  if (!isAtRecord(log, options)) return void call.emit('error', INVALID_POSITION)
  const from = stream ? log.stream(name) : log.written.filter(filter)
  for (const event of page(from, options)) send(event)
  call.end()
}

type Options = streamsV1.ReadReq.Options

/** The server reads its log by byte offsets, and finds no record between two of them. */
const INVALID_POSITION = { code: status.INVALID_ARGUMENT, details: 'Trying to read from an invalid position.' }

function isAtRecord({ written }: KurrentLog, options: Options): boolean {
  const position = options.getAll()?.getPosition()?.getCommitPosition()
  return position === undefined || written.some((record) => record.position === Number(position))
}

function page(events: readonly WrittenRecord[], options: Options): readonly WrittenRecord[] {
  const count = Number(options.getCount())
  const all = options.getAll()
  const stream = options.getStream()
  if (options.getReadDirection() === streamsV1.ReadReq.Options.ReadDirection.BACKWARDS) {
    if (!(all?.hasEnd() || stream?.hasEnd())) throw new Error('The double reads backwards from the end only')
    return events.toReversed().slice(0, count)
  }
  const position = all?.hasPosition() ? Number(all.getPosition()?.getCommitPosition()) : 0
  const revision = stream?.hasRevision() ? Number(stream.getRevision()) : 0
  return events.filter((event) => (stream ? event.revision >= revision : event.position >= position)).slice(0, count)
}

function passes(options: Options): (event: WrittenRecord) => boolean {
  const names = options.getFilter()?.getStreamIdentifier()
  if (!names) return () => true
  const regex = names.getRegex() ? new RegExp(names.getRegex(), 'u') : undefined
  return ({ stream }) => regex?.test(stream) ?? names.getPrefixList().some((prefix) => stream.startsWith(prefix))
}

/** Subscribes from the end only, which is all that the store requests. */
function subscribe(
  log: KurrentLog,
  call: ReadCall,
  filter: (event: WrittenRecord) => boolean,
  send: (event: WrittenRecord) => void,
): void {
  let seen = log.written.length
  const grown = () => {
    for (const event of log.written.slice(seen).filter(filter)) send(event)
    seen = log.written.length
  }
  call.write(confirmationMessage())
  log.grown.on('grown', grown)
  call.on('cancelled', () => {
    log.grown.off('grown', grown)
    call.end()
  })
}
