/** Detects the type and size of an image from its bytes; the declared media type is ignored. */

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp'

export interface Image {
  readonly type: ImageType
  /** In pixels. */
  readonly width: number
  readonly height: number
}

/** In pixels. A small file can decode to an image so large that a browser runs out of memory. */
const SIDE_MAX = 8_192

/**
 * Reads the header of a PNG, JPEG or WebP and does not decode the image.
 * @returns undefined if no valid header is found
 */
export function imageOf(bytes: Buffer): Image | undefined {
  const image = [png, jpeg, webp].map((read) => read(bytes)).find((each) => each !== undefined)
  return image && isSide(image.width) && isSide(image.height) ? image : undefined
}

const isSide = (pixels: number): boolean => pixels >= 1 && pixels <= SIDE_MAX

const PNG_HEAD = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PNG_BYTES_MIN = 33

/** The signature, then the chunk IHDR of 13 bytes (PNG, 5.2 and 11.2.1). */
function png(bytes: Buffer): Image | undefined {
  if (bytes.length < PNG_BYTES_MIN || !bytes.subarray(0, PNG_HEAD.length).equals(PNG_HEAD)) return undefined
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

const JPEG_START = 0xffd8
const MARKER = 0xff
/** SOF0 to SOF15 begin a frame. DHT (C4), JPG (C8) and DAC (CC) lie in this range and do not. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const FRAME_BYTES = 8

/** Segments from the start of the image to its first frame, each with its length (ITU-T T.81, B.1 and B.2). */
function jpeg(bytes: Buffer): Image | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== JPEG_START) return undefined
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === MARKER) {
    const marker = bytes[at + 1]!
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) return undefined
    if (isFrame(marker)) return frame(bytes.subarray(at + 2, at + 2 + length))
    at += 2 + length
  }
  return undefined
}

const frame = (segment: Buffer): Image | undefined =>
  segment.length < FRAME_BYTES
    ? undefined
    : { type: 'image/jpeg', height: segment.readUInt16BE(3), width: segment.readUInt16BE(5) }

const WEBP_BYTES_MIN = 30
const FOURTEEN_BITS = 0x3fff

/** A RIFF file of the form WEBP, by its first chunk: lossy, lossless or extended (RFC 9649, 2.4 to 2.7). */
function webp(bytes: Buffer): Image | undefined {
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  if (!isWebp || bytes.length < WEBP_BYTES_MIN || bytes.readUInt32LE(4) + 8 > bytes.length) return undefined
  const size = WEBP_SIZES[bytes.toString('latin1', 12, 16)]?.(bytes)
  return size && { type: 'image/webp', width: size[0], height: size[1] }
}

const VP8_START = 0x9d012a
const VP8L_SIGNATURE = 0x2f

const WEBP_SIZES: Readonly<Record<string, (bytes: Buffer) => readonly [width: number, height: number] | undefined>> = {
  'VP8 ': (bytes) =>
    bytes.readUIntBE(23, 3) === VP8_START
      ? [bytes.readUInt16LE(26) & FOURTEEN_BITS, bytes.readUInt16LE(28) & FOURTEEN_BITS]
      : undefined,
  VP8L(bytes) {
    const packed = bytes.readUInt32LE(21)
    return bytes[20] === VP8L_SIGNATURE
      ? [(packed & FOURTEEN_BITS) + 1, ((packed >>> 14) & FOURTEEN_BITS) + 1]
      : undefined
  },
  VP8X: (bytes) => [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1],
}
