/** Pages of our own: without scripts, under a policy that allows their own style and nothing else. */
import { createHash } from 'node:crypto'

export interface HtmlPage {
  readonly html: string
  /** The Content-Security-Policy under which it looks right. */
  readonly policy: string
}

/** @param title plain text. @param body HTML, in which all that is not ours is `escaped` */
export function htmlPage(title: string, style: string, body: string): HtmlPage {
  const hash = createHash('sha256').update(style).digest('base64')
  return {
    policy: `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body>
${body}
</body></html>`,
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => ENTITIES[mark]!)
