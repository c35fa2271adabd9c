/** Escapes text for a place in HTML: between tags, or in a quoted attribute. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => ENTITIES[mark]!)
