/** The forms in which programs print a secret: as it is, line by line, in base64, in a URL and in JSON. */

/** A shorter text is in every log by chance. */
export const SECRET_CHARACTERS_MIN = 4
/** A shorter one has no other forms: they would be in logs by chance. */
const FORMS_MIN = 8
/** Programs that print base64 break its lines here. Sources: base64(1) of GNU, RFC 7468. */
const LINE_WIDTHS = [76, 64]

export function formsOf(secret: string): string[] {
  if (secret.length < FORMS_MIN) return secret.length < SECRET_CHARACTERS_MIN ? [] : [secret]
  const plain = [secret, secret.replaceAll('\n', '\r\n'), ...secret.split(/\r?\n/).map((line) => line.trim())]
  const forms = [...plain, ...inBase64(secret), ...inUrl(secret), JSON.stringify(secret).slice(1, -1)]
  return [...new Set(forms)].filter(({ length }) => length >= FORMS_MIN)
}

function inBase64(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const plain = [...[0, 1, 2].map((before) => within(bytes, before)), ...LINE_WIDTHS.flatMap(broken(bytes))]
  return [...plain, ...plain.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))]
}

/** The characters that the bytes alone decide, when so many bytes come before them. */
function within(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
}

const broken =
  (bytes: Buffer) =>
  (width: number): string[] =>
    bytes.toString('base64').match(new RegExp(`.{1,${width}}`, 'g'))!

function inUrl(secret: string): string[] {
  const text = encodeURIComponent(secret.toWellFormed())
  const all = [text, text.replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)]
  const forms = all.flatMap((each) => [each, each.replaceAll('%20', '+')])
  return [...forms, ...forms.map((each) => each.replaceAll(/%../g, (octet) => octet.toLowerCase()))]
}
