/** The shortest file headers of pictures of a given size. */

export function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(45)
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  Buffer.from('0806000000', 'hex').copy(bytes, 24)
  return bytes
}

/** With a segment before its frame. */
export function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from('ffc0001108000000000301220002110103110', 'hex')
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), frame, Buffer.alloc(8)])
}

function riff(chunk: string, fill: (bytes: Buffer) => unknown): Buffer {
  const bytes = Buffer.alloc(40)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(32, 4)
  bytes.write(`WEBP${chunk}`, 8, 'latin1')
  bytes.writeUInt32LE(20, 16)
  fill(bytes)
  return bytes
}

export const webp = {
  lossy: (width: number, height: number): Buffer =>
    riff('VP8 ', (bytes) => {
      bytes.writeUIntBE(0x9d012a, 23, 3)
      bytes.writeUInt16LE(width, 26)
      bytes.writeUInt16LE(height, 28)
    }),
  lossless: (width: number, height: number): Buffer =>
    riff('VP8L', (bytes) => {
      bytes[20] = 0x2f
      bytes.writeUInt32LE((((height - 1) << 14) | (width - 1)) >>> 0, 21)
    }),
  extended: (width: number, height: number): Buffer =>
    riff('VP8X', (bytes) => {
      bytes.writeUIntLE(width - 1, 24, 3)
      bytes.writeUIntLE(height - 1, 27, 3)
    }),
}
