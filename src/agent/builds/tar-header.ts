/** Headers of an archive. Sources: POSIX.1-1988 (ustar), GNU tar for names that are longer. */

const BLOCK = 512
const NAME_BYTES_MAX = 100

export interface TarEntry {
  /** Directories end with a slash. */
  readonly path: string
  readonly type: 'FILE' | 'DIRECTORY' | 'LINK'
  readonly bytes: number
  readonly mode: number
  readonly modifiedSeconds: number
  /** Of a link; empty for another entry. */
  readonly target: string
}

const TYPES = { FILE: '0', LINK: '2', DIRECTORY: '5', LONG_TARGET: 'K', LONG_NAME: 'L' } as const

export const TAR_END = Buffer.alloc(2 * BLOCK)

/** What follows the content of an entry. */
export const tarPadding = (bytes: number): Buffer => Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK)

export function tarHeader({ path, type, bytes, mode, modifiedSeconds, target }: TarEntry): Buffer {
  const [name, to] = [Buffer.from(path), Buffer.from(target)]
  return Buffer.concat([
    ...(to.length > NAME_BYTES_MAX ? longText(TYPES.LONG_TARGET, to) : []),
    ...(name.length > NAME_BYTES_MAX ? longText(TYPES.LONG_NAME, name) : []),
    block(TYPES[type], { name, target: to, bytes, mode, modifiedSeconds }),
  ])
}

function longText(type: string, text: Buffer): Buffer[] {
  const content = Buffer.concat([text, Buffer.alloc(1)])
  const about = { name: Buffer.from('././@LongLink'), target: Buffer.alloc(0), mode: 0, modifiedSeconds: 0 }
  return [block(type, { ...about, bytes: content.length }), content, tarPadding(content.length)]
}

interface Block {
  readonly name: Buffer
  readonly target: Buffer
  readonly bytes: number
  readonly mode: number
  readonly modifiedSeconds: number
}

function block(type: string, { name, target, bytes, mode, modifiedSeconds }: Block): Buffer {
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`
  name.copy(header, 0, 0, NAME_BYTES_MAX)
  header.write(octal(mode, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(bytes, 11), 124)
  header.write(octal(modifiedSeconds, 11), 136)
  header.write(' '.repeat(8), 148)
  header.write(type, 156)
  target.copy(header, 157, 0, NAME_BYTES_MAX)
  header.write('ustar  \0', 257)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
