/** HTML pages of the service. They have no scripts, and their policy allows only their own style. */
import { hash } from 'node:crypto'
import { escapeHtml } from '../lib/escape-html.ts'

export interface HtmlPage {
  readonly html: string
  /** The Content-Security-Policy that the page needs. */
  readonly policy: string
}

/**
 * @param title plain text
 * @param body HTML, in which every inserted value is already escaped by `escapeHtml`
 */
export function htmlPage(title: string, style: string, body: string): HtmlPage {
  return {
    policy: `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body>
${body}
</body></html>`,
  }
}
