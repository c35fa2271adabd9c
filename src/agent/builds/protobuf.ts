/** The few messages of Protocol Buffers that a build needs. Source: Protocol Buffers, "Encoding". */

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const FIXED32 = 5

export interface Field {
  readonly number: number
  /** Of a number; 0 for another field. */
  readonly value: number
  /** Of a text, of bytes or of a message; empty for another field. */
  readonly bytes: Buffer
}

/** @throws RangeError for what is no message */
export function readFields(message: Buffer): Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = (): number => {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = message.readUInt8(at)
      at += 1
      value += (byte & 0x7f) * factor
      factor *= 128
      if (byte < 0x80) return value
    }
  }
  const take = (length: number): Buffer => {
    if (at + length > message.length) throw new RangeError('The message ends within a field')
    at += length
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const tag = varint()
    const [number, type] = [Math.floor(tag / 8), tag % 8]
    if (type === VARINT) fields.push({ number, value: varint(), bytes: Buffer.alloc(0) })
    else if (type === BYTES) fields.push({ number, value: 0, bytes: take(varint()) })
    else if (type === FIXED64 || type === FIXED32) take(type === FIXED64 ? 8 : 4)
    else throw new RangeError(`A message has no fields of type ${type}`)
  }
  return fields
}

export const textOf = (fields: readonly Field[], number: number): string =>
  fields.findLast((field) => field.number === number)?.bytes.toString() ?? ''

export const numberOf = (fields: readonly Field[], number: number): number =>
  fields.findLast((field) => field.number === number)?.value ?? 0

export const messagesOf = (fields: readonly Field[], number: number): Field[][] =>
  fields.filter((field) => field.number === number).map(({ bytes }) => readFields(bytes))

export function bytesField(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varintOf(number * 8 + BYTES), varintOf(bytes.length), bytes])
}

export const numberField = (number: number, value: number): Buffer =>
  Buffer.concat([varintOf(number * 8 + VARINT), varintOf(value)])

function varintOf(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}
