/** Secrets are taken out, wherever the pieces of the output are cut. */
import { randomBytes } from 'node:crypto'
import { array, assert, constantFrom, integer, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { secretFilter, secretFilters, secretsIn } from '../../src/agent/secret-filter.ts'
import { formsOf, formsOfAll } from '../../src/agent/secret-forms.ts'

const shown = (pieces: readonly string[], secrets: readonly string[]): string => {
  const filter = secretFilter(secrets)
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end()
}

test('a secret goes, whole and in pieces, again and again', () => {
  expect(shown(['the password is hunter22, really'], ['hunter22'])).toBe('the password is ***, really')
  expect(shown('say hunter22 and hunter22'.split(''), ['hunter22'])).toBe('say *** and ***')
  expect(shown(['hunter2', '1 hunter', '22'], ['hunter22'])).toBe('hunter21 ***')
  expect(shown(['-----BEGIN\nKEY', '\nabc-----'], ['BEGIN\nKEY\nabc'])).toBe('-----***-----')
})

test('the longer of two secrets goes first, and a text that is too short is no secret', () => {
  expect(shown(['abcdefgh abcd'], ['abcd', 'abcdefgh'])).toBe('*** ***')
  expect(shown(['a cat sat'], ['cat', ''])).toBe('a cat sat')
})

test('only what may become a secret is held back', () => {
  const filter = secretFilter(['hunter22'])
  expect(filter.push('x hunt')).toBe('x ')
  expect(filter.push('er')).toBe('')
  expect(filter.push('s')).toBe('hunters')
  expect(filter.push('hu')).toBe('')
  expect(filter.end()).toBe('hu')
  expect(filter.end()).toBe('')
})

test('no cut lets a secret through, and text without secrets is as it was', () => {
  const secrets = ['abab', 'babaa', 'aabb']
  const piece = string({ unit: constantFrom('a', 'b'), maxLength: 6 })
  assert(
    property(array(piece, { maxLength: 12 }), (pieces) => {
      const text = shown(pieces, secrets)
      for (const secret of secrets) expect(text).not.toContain(secret)
      if (!secrets.some((secret) => pieces.join('').includes(secret))) expect(text).toBe(pieces.join(''))
    }),
    { numRuns: 3_000 },
  )
  assert(
    property(string({ maxLength: 40 }), integer({ min: 0, max: 40 }), (text, cut) => {
      expect(shown([text.slice(0, cut), text.slice(cut)], ['a secret'])).toBe(text)
    }),
  )
})

const PEM = ['-----BEGIN KEY-----', 'A'.repeat(64), 'canary/of+three lines', '-----END KEY-----'].join('\n')
const SECRET = 'päss word/with+all %&"of it'
const PADDED = ['', 'a', 'ab'].map((before) => [`base64 after ${before.length} bytes`, before] as const)

test.each<readonly [form: string, secrets: readonly string[], text: string]>([
  ['in a URL', [SECRET], encodeURIComponent(SECRET)],
  ['in a form', [SECRET], new URLSearchParams({ a: SECRET }).toString().slice(2)],
  ['in JSON', [PEM], JSON.stringify(PEM)],
  ['with other line ends', [PEM], PEM.replaceAll('\n', '\r\n')],
  ['one line of it', [PEM], 'at canary/of+three lines there'],
  ...PADDED.map(([name, before]) => [name, [SECRET], Buffer.from(`${before}${SECRET}!`).toString('base64')] as const),
  ['in base64 of URLs', ['??>>??>>??>>'], Buffer.from('??>>??>>??>>').toString('base64url')],
])('a secret goes %s, wherever it is cut', (_form, secrets, text) => {
  const kept = 6
  for (let cut = 0; cut <= text.length; cut += 1) {
    const seen = shown([text.slice(0, cut), text.slice(cut)], secrets)
    expect(seen).toContain('***')
    const windows = Array.from({ length: text.length - kept }, (_, at) => text.slice(at, at + kept))
    const left = windows.filter((part) => seen.includes(part) && !/^at |there$/.test(part))
    expect(left, seen).toEqual([])
  }
})

test('base64 that is broken into lines goes with all of them', () => {
  const secret = Array.from({ length: 40 }, (_, at) => `part ${at}`).join(' ')
  for (const width of [64, 76]) {
    const lines = Buffer.from(secret)
      .toString('base64')
      .match(new RegExp(`.{1,${width}}`, 'g'))!
    expect(shown([lines.join('\n')], [secret])).toMatch(/^[*\n]+$/)
  }
})

test('a secret that begins another one, or overlaps it, leaves nothing of the longer one', () => {
  expect(shown(['abcd', 'efgh'], ['abcd', 'abcdefgh'])).toBe('***')
  expect(shown(['x abcdefgh y'], ['abcdef', 'defgh'])).toBe('x *** y')
  expect(shown(['abcd', 'ef'], ['abcd', 'abcdefgh'])).toBe('***ef')
})

test('all texts within secrets count', () =>
  expect(secretsIn({ user: 'ada', deep: [{ token: 'one' }, 2, null, 'two'] })).toEqual(['ada', 'one', 'two']))

/** Looks for each form at each place of the whole text. */
function shownNaively(text: string, secrets: readonly string[]): string {
  const all = secrets.flatMap(formsOf).flatMap((form) => {
    const begins = Array.from({ length: text.length }, (_, at) => at).filter((at) => text.startsWith(form, at))
    return begins.map((begin) => ({ begin, end: begin + form.length }))
  })
  const ranges: { begin: number; end: number }[] = []
  for (const { begin, end } of all.toSorted((one, other) => one.begin - other.begin)) {
    const last = ranges.at(-1)
    if (last && begin < last.end) last.end = Math.max(last.end, end)
    else ranges.push({ begin, end })
  }
  const parts = ranges.map(({ begin }, nth) => `${text.slice(ranges[nth - 1]?.end ?? 0, begin)}***`)
  return parts.join('') + text.slice(ranges.at(-1)?.end ?? 0)
}

test('it takes out what a look at the whole text finds, wherever the text is cut', () => {
  const few = string({ unit: constantFrom('a', 'b'), minLength: 1, maxLength: 12 })
  const many = string({ unit: constantFrom('a', 'b', ' ', '%', '/', '\n', 'ä', '💡'), minLength: 4, maxLength: 24 })
  for (const [secret, runs] of [
    [few, 2_000],
    [many, 1_000],
  ] as const)
    assert(
      property(array(secret, { maxLength: 5 }), array(secret, { maxLength: 5 }), integer(), (secrets, others, at) => {
        const forms = secrets.flatMap(formsOf)
        const whole = [...others, ...forms.slice(at % 7, (at % 7) + 3), ...secrets, ...others].join('')
        const text = whole.slice(0, 400)
        const cut = Math.abs(at) % (text.length + 1)
        const pieces = [text.slice(0, cut), ...text.slice(cut).split('')]
        expect(shown(pieces, secrets)).toBe(shownNaively(text, secrets))
      }),
      { numRuns: runs },
    )
})

test('secrets that begin alike take no more time than others', () => {
  const alike = Array.from({ length: 300 }, (_, nth) => `${'a'.repeat(2_000)}${nth}`)
  const text = 'a'.repeat(300_000)
  expect(shown([text], alike)).toBe(text)
  // The longest secret is held back, and each character is a piece.
  expect(shown(text.slice(0, 100_000).split(''), [`${'a'.repeat(20_000)}b`])).toBe(text.slice(0, 100_000))
})

/** Of the processor, which others on the machine do not lengthen. */
function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const keyOf = (bytes: number): string => {
  const lines = randomBytes(bytes)
    .toString('base64')
    .match(/.{1,64}/g)!
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n')
}

test('an agent does not stand still while it looks at many keys', () => {
  const keys = Array.from({ length: 100 }, () => keyOf(1_600))
  const spent = Array.from({ length: 3 }, (_, nth) => cpuMsOf(() => void secretFilters([...keys, `turn ${nth}`])))
  expect(Math.min(...spent)).toBeLessThan(350)
  expect(shown([keys.join('')], keys)).toBe('***'.repeat(100))
})

function sumOf(text: string): number {
  let sum = 0
  for (let at = 0; at < text.length; at += 1) sum = (sum * 31 + text.charCodeAt(at)) | 0
  return sum
}

test('text without secrets costs little, even if much of it begins like one', () => {
  const secrets = [...Array.from({ length: 20 }, () => randomBytes(24).toString('base64url')), keyOf(1_200)]
  const line = `GET /paths/of/things?and=values of what an application says in a busy hour: ${'A'.repeat(64)}\n`
  const [text, pieces] = [line.repeat(100), Array.from({ length: 1_000 })]
  const filtered = () => {
    const filter = secretFilter(secrets)
    return cpuMsOf(() => void pieces.map(() => filter.push(text)))
  }
  const read = () => cpuMsOf(() => void pieces.map(() => sumOf(text)))
  const [best, whole] = [filtered, read].map((work) => Math.min(...pieces.slice(0, 4).map(work)))
  expect(best, 'less than it takes to read each character').toBeLessThan(whole!)
})

test('too many forms leave the longest secrets as they are, with other line ends and line by line', () => {
  const [short, long] = ['a short secret', `${'ä'.repeat(20)}\nof two lines`]
  const forms = formsOfAll([long, short], 1_000)
  expect(forms).toEqual(expect.arrayContaining(formsOf(short)))
  expect(forms).toEqual(expect.arrayContaining([long, long.replace('\n', '\r\n'), 'ä'.repeat(20), 'of two lines']))
  expect(forms).not.toContain(encodeURIComponent(long))
  expect(formsOfAll([long, short])).toEqual(expect.arrayContaining([...formsOf(long), ...formsOf(short)]))
})

test('the forms of the largest variables that an application may have are bounded', () => {
  const all = (secret: string) => formsOfAll([secret]).reduce((sum, { length }) => sum + length, 0)
  expect(formsOfAll([keyOf(190_000)]).length).toBeGreaterThan(10_000)
  expect(all('\u{10FFFF}'.repeat(131_072))).toBeLessThan(4 * 1_024 * 1_024)
})

test('the same secrets are looked at once, for all logs that are open', () => {
  const keys = Array.from({ length: 40 }, () => keyOf(1_600))
  const first = secretFilters(keys)
  const bytes = () => process.memoryUsage().arrayBuffers
  const before = bytes()
  const all = Array.from({ length: 20 }, () => secretFilters([...keys.toReversed(), keys[0]!]))
  expect(bytes() - before).toBeLessThan(1_000_000)
  for (const filters of [first, ...all]) {
    const filter = filters()
    expect(filter.push(`${keys[7]!} is one.`) + filter.end()).toBe('*** is one.')
  }
})
