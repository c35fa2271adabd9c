/** Answers of the panel and of the container engine. One may be endless, so its length is limited. */

/** @throws Error for more than `bytesMax` bytes; the rest is not read */
export async function answerText(body: AsyncIterable<Uint8Array> | null, bytesMax: number): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.length
    if (bytes > bytesMax) throw new AnswerTooLong(bytesMax)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** @param response of fetch @throws Error for more than `bytesMax` bytes */
export const responseText = ({ body }: Response, bytesMax: number): Promise<string> =>
  answerText(body as AsyncIterable<Uint8Array> | null, bytesMax)

export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'

  constructor(bytesMax: number) {
    super(`The answer has more than ${bytesMax} bytes`)
  }
}
