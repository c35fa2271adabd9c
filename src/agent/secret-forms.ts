/** The forms in which programs print a secret: as it is, line by line, in base64, in a URL and in JSON. */

/** A shorter text is in every log by chance. */
export const SECRET_CHARACTERS_MIN = 4
/** A shorter one has no other forms: they would be in logs by chance. */
const FORMS_MIN = 8
/** Programs that print base64 break its lines here. Sources: base64(1) of GNU, RFC 7468. */
const LINE_WIDTHS = [76, 64]

/** Of the forms of all secrets of one index, which takes 11 bytes for each: those of 256 KiB of keys are 3.5 million. */
const CHARACTERS_MAX = 4 * 1_024 * 1_024

/**
 * The shortest secrets first: once there are too many forms, those that are left are known as they are, with other line
 * ends and line by line alone.
 */
export function formsOfAll(secrets: readonly string[], most = CHARACTERS_MAX): string[] {
  let left = most
  const sorted = [...new Set(secrets)].toSorted((one, other) => one.length - other.length)
  return sorted.flatMap((secret) => {
    // About twice what keys have.
    const whole = charactersMax(secret) <= 2 * left ? formsOf(secret) : []
    const isTaken = whole.length > 0 && charactersOf(whole) <= left
    const forms = isTaken ? whole : longEnough(secret, asItIs(secret))
    left -= charactersOf(forms)
    return forms
  })
}

const charactersOf = (forms: readonly string[]): number => forms.reduce((sum, { length }) => sum + length, 0)

export const formsOf = (secret: string): string[] =>
  secret.length < FORMS_MIN
    ? longEnough(secret, [secret])
    : longEnough(secret, [
        ...asItIs(secret),
        ...inBase64(secret),
        ...inUrl(secret),
        JSON.stringify(secret).slice(1, -1),
      ])

const asItIs = (secret: string): string[] => [
  secret,
  secret.replaceAll('\n', '\r\n'),
  ...secret.split(/\r?\n/).map((line) => line.trim()),
]

function longEnough(secret: string, forms: readonly string[]): string[] {
  const least = secret.length < FORMS_MIN ? SECRET_CHARACTERS_MIN : FORMS_MIN
  return [...new Set(forms)].filter(({ length }) => length >= least)
}

/** Three, ten in base64, eight in a URL and one in JSON. */
const charactersMax = (secret: string): number =>
  3 * secret.length +
  10 * Math.ceil((Buffer.byteLength(secret) * 4) / 3) +
  8 * encodeURIComponent(secret.toWellFormed()).length +
  6 * secret.length

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
