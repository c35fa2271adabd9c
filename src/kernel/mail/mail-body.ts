/** The two forms of a mail's text: plain, with its links unbroken, and HTML made from it, in which they can be followed. */
import { escapeHtml } from '../lib/escape-html.ts'

/** RFC 5322, 2.1.1: a line has at most 998 characters. */
const LINE_LENGTH_MAX = 998
const LINK = /^https?:\/\/[^\s<>"]+$/

/**
 * As it is where every server carries it so. Other texts are encoded as quoted-printable, which breaks a long link where a
 * person reads the file of a mail.
 */
export const plainPart = (text: string): string | { readonly raw: string } =>
  isSevenBit(text)
    ? {
        raw: [
          'Content-Type: text/plain; charset=utf-8',
          'Content-Transfer-Encoding: 7bit',
          '',
          ...text.split('\n'),
        ].join('\r\n'),
      }
    : text

const isSevenBit = (text: string): boolean =>
  /^[\n\x20-\x7e]*$/.test(text) && text.split('\n').every((line) => line.length <= LINE_LENGTH_MAX)

/** A paragraph for each, divided by empty lines. A line that is only an address becomes a link. */
export function htmlPart(text: string): string {
  const paragraphs = text.trim().split(/\n{2,}/)
  const body = paragraphs.map((paragraph) => `<p>${paragraph.split('\n').map(htmlLine).join('<br>\n')}</p>`)
  return `<!doctype html>\n<html lang="en"><body>\n${body.join('\n')}\n</body></html>\n`
}

function htmlLine(line: string): string {
  const shown = escapeHtml(line)
  return LINK.test(line) ? `<a href="${shown}">${shown}</a>` : shown
}
