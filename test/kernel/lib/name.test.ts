/**
 * Allowed characters of a name: all letters that people use, and no invisible characters or characters that
 * change the text direction.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { machineText, nameSchema, reasonSchema } from '#kernel/lib/display-text'

const name = nameSchema(100)
const isName = (text: string): boolean => name.safeParse(text).success

test.each([
  'Team',
  'Zoë Müller-Łukasiewicz',
  'O’Brien & Søn, 3rd floor (“north”)',
  '株式会社デイブック',
  'شركة الأمل',
  'חברה בע״מ',
  'می‌خواهم',
  'क्‍ष',
  'ᠮᠣᠩᠭᠣᠯ᠋',
  '👩‍💻 ops',
  '❤️',
  '葛󠄀城',
  'a\u00a0b',
  'x'.repeat(100),
])('%j is a name', (text) => expect(name.parse(text)).toBe(text))

test('spaces around a name are none of it', () => expect(name.parse('  Team ')).toBe('Team'))

const REFUSED = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  0x7f,
  0x80,
  0x85,
  0x9f,
  0xad,
  0x34f,
  0x61c,
  0x115f,
  0x180e,
  0x200b,
  0x200e,
  0x200f,
  0x2028,
  0x2029,
  0x202a,
  0x202b,
  0x202c,
  0x202d,
  0x202e,
  0x2060,
  0x2063,
  0x2066,
  0x2067,
  0x2068,
  0x2069,
  0x206a,
  0x3164,
  0xd800,
  0xdfff,
  0xfdd0,
  0xfeff,
  0xffa0,
  0xfffe,
  0xffff,
  0x1d173,
  0xe0001,
  0xe0041,
  0x10ffff,
]

test.each(REFUSED.map((code) => [code.toString(16).padStart(4, '0'), String.fromCodePoint(code)]))(
  'U+%s is in no name',
  (_code, character) => {
    const { error } = name.safeParse(`ad${character}min`)
    expect(error?.issues[0]?.message).toBe('must be one line without control, direction or invisible characters')
  },
)

test.each(['', ' ', '\u200d', '\ufe0f\u200c', 'x'.repeat(101)])('%j is no name', (text) =>
  expect(isName(text)).toBe(false),
)

describe('a reason', () => {
  const isReason = (text: string): boolean => reasonSchema(500).safeParse(text).success

  test('may be of several lines', () => {
    expect(isReason('first\nsecond\r\n\tthird')).toBe(true)
    expect(isName('first\nsecond')).toBe(false)
  })

  test('has no other character than a name', () => {
    for (const code of REFUSED.filter((each) => ![0x9, 0xa, 0xd].includes(each)))
      expect(isReason(`a${String.fromCodePoint(code)}b`), code.toString(16)).toBe(false)
  })
})

test('no text that is taken turns anything around, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      if (isName(text)) expect(text.trim()).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Cs}\p{Zl}\p{Zp}]/u)
    }),
    { numRuns: 2_000 },
  )
})

test('what a machine tells shows what it hides, and its letters stay', () => {
  const text = machineText(20)
  expect(text.parse('a\u202eb\u200b\n')).toBe('a\ufffdb\ufffd\ufffd')
  expect(text.parse('شركة الأمل 👩‍💻')).toBe('شركة الأمل 👩‍💻')
  expect(text.parse(text.parse('\u202e'))).toBe('\ufffd')
  expect(text.safeParse('x'.repeat(21)).success).toBe(false)
})
