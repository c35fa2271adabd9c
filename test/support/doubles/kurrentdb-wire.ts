/** Messages of the server's protocols, made with the generated code of the official client. */
import { Metadata, status } from '@grpc/grpc-js'
import shared from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/shared_pb.js'
import statusV1 from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/status_pb.js'
import streamsV1 from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js'
import errorsV2 from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v2/streams/errors_pb.js'
import streamsV2 from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v2/streams/streams_pb.js'
import any from 'google-protobuf/google/protobuf/any_pb.js'
import type { Check, LogRecord, Violation, WrittenRecord } from './kurrentdb-log.ts'

const TICKS_PER_MS = 10_000n
const SCHEMA_JSON = 1

export function recordFrom(message: streamsV2.AppendRecord): LogRecord {
  const properties: Record<string, unknown> = {}
  message.getPropertiesMap().forEach((value, key) => (properties[key] = value.toJavaScript()))
  const schema = message.getSchema()
  return {
    stream: message.getStream(),
    id: message.getRecordId() ?? '',
    type: schema?.getName() ?? '',
    json: Number(schema?.getFormat()) === SCHEMA_JSON,
    data: message.getData_asU8(),
    properties,
  }
}

export function checkFrom(message: streamsV2.ConsistencyCheck): Check {
  const state = message.getStreamState()
  return { stream: state?.getStream() ?? '', expected: Number(state?.getExpectedState()) }
}

/** Protocol v1 shows the properties of v2 as JSON metadata, with two properties of the server. */
export function eventMessage(event: WrittenRecord, structuredIds: boolean): streamsV1.ReadResp {
  const recorded = new streamsV1.ReadResp.ReadEvent.RecordedEvent()
  const own = { '$schema.format': event.json ? 'Json' : 'Bytes', '$schema.name': event.type }
  recorded.setId(idMessage(event.id, structuredIds))
  recorded.setStreamIdentifier(streamMessage(event.stream))
  recorded.setStreamRevision(String(event.revision))
  recorded.setPreparePosition(String(event.position))
  recorded.setCommitPosition(String(event.position))
  recorded.setCustomMetadata(Buffer.from(JSON.stringify({ ...own, ...event.properties })))
  recorded.setData(event.data)
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', event.json ? 'application/json' : 'application/octet-stream')
    .set('created', String(BigInt(event.created.getTime()) * TICKS_PER_MS))
  const read = new streamsV1.ReadResp.ReadEvent()
  read.setEvent(recorded)
  read.setCommitPosition(String(event.position))
  return new streamsV1.ReadResp().setEvent(read)
}

export function notFoundMessage(stream: string): streamsV1.ReadResp {
  const notFound = new streamsV1.ReadResp.StreamNotFound()
  notFound.setStreamIdentifier(streamMessage(stream))
  return new streamsV1.ReadResp().setStreamNotFound(notFound)
}

export function confirmationMessage(): streamsV1.ReadResp {
  const confirmation = new streamsV1.ReadResp.SubscriptionConfirmation()
  confirmation.setSubscriptionId(crypto.randomUUID())
  return new streamsV1.ReadResp().setConfirmation(confirmation)
}

export function appendedMessage(written: readonly WrittenRecord[]): streamsV2.AppendRecordsResponse {
  const response = new streamsV2.AppendRecordsResponse()
  response.setPosition(String(written.at(-1)?.position))
  for (const [stream, revision] of new Map(written.map((each) => [each.stream, each.revision]))) {
    const message = new streamsV2.StreamRevision()
    message.setStream(stream)
    message.setRevision(String(revision))
    response.addRevisions(message)
  }
  return response
}

export function violationError(violations: readonly Violation[]) {
  const details = new errorsV2.AppendConsistencyViolationErrorDetails()
  for (const { index, stream, expected, actual } of violations) {
    const state = new errorsV2.ConsistencyViolation.StreamStateViolation()
    state.setStream(stream)
    state.setExpectedState(String(expected))
    state.setActualState(String(actual))
    details.addViolations(new errorsV2.ConsistencyViolation().setCheckIndex(index).setStreamState(state))
  }
  return richError(status.FAILED_PRECONDITION, 'AppendConsistencyViolation', details.serializeBinary())
}

export function sizeError(record: LogRecord, maxBytes: number) {
  const details = new errorsV2.AppendRecordSizeExceededErrorDetails()
  details.setStream(record.stream)
  details.setRecordId(record.id)
  details.setSize(record.data.length)
  details.setMaxSize(maxBytes)
  return richError(status.INVALID_ARGUMENT, 'AppendRecordSizeExceeded', details.serializeBinary())
}

function richError(code: status, name: string, value: Uint8Array) {
  const packed = new any.Any()
  packed.setTypeUrl(`type.googleapis.com/kurrentdb.protocol.v2.streams.errors.${name}ErrorDetails`)
  packed.setValue(value)
  const rich = new statusV1.Status()
  rich.setDetails(packed)
  const metadata = new Metadata()
  metadata.set('grpc-status-details-bin', Buffer.from(rich.serializeBinary()))
  return { code, details: name, metadata }
}

function streamMessage(name: string): shared.StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(name))
}

function idMessage(id: string, structured: boolean): shared.UUID {
  if (!structured) return new shared.UUID().setString(id)
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  const bits = new shared.UUID.Structured()
  bits.setMostSignificantBits(String(bytes.readBigInt64BE(0)))
  bits.setLeastSignificantBits(String(bytes.readBigInt64BE(8)))
  return new shared.UUID().setStructured(bits)
}
