import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { email, normalisedEmail } from '#kernel/credentials/email-address'
import { cpuMs } from '#test/support/cpu-ms'

const accepted = (text: string): string | undefined => email.safeParse(text).data

describe('an address', () => {
  it.each([
    ['somebody@example.test', 'somebody@example.test'],
    ['  Some.Body+tag@Example.test\t', 'Some.Body+tag@Example.test'],
    ['ｓｏｍｅｂｏｄｙ＠example.test', 'somebody@example.test'],
    [`${'a'.repeat(64)}@example.test`, `${'a'.repeat(64)}@example.test`],
  ])('%j is kept as %j', (text, kept) => expect(accepted(text)).toBe(kept))

  it.each([
    '',
    'somebody',
    '@example.test',
    'some body@example.test',
    'a@b@example.test',
    'somebody@example',
    'somebody@example.test\nBcc: other@example.test',
    '.somebody@example.test',
    'some..body@example.test',
    `${'a'.repeat(300)}@example.test`,
    ' '.repeat(321),
  ])('%j is none', (text) => expect(accepted(text)).toBeUndefined())

  // NFKC of these marks takes more than a second, and four times as long for twice as many.
  it('is refused for its length before any work is spent on it', async () => {
    const spent = await cpuMs(() => expect(accepted(`a${'\u0344\u0327'.repeat(25_000)}`)).toBeUndefined())
    expect(spent).toBeLessThan(300)
  })
})

describe('the one spelling', () => {
  it('is the same for every spelling of an address', () => {
    for (const text of ['Some.Body@Example.Test', ' some.body@example.test ', 'ＳＯＭＥ.body@example.test'])
      expect(normalisedEmail(text)).toBe('some.body@example.test')
  })

  it('does not change when it is made twice, nor with how the address was kept', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        const once = normalisedEmail(text)
        expect(normalisedEmail(once)).toBe(once)
        const kept = accepted(text)
        if (kept !== undefined) expect(normalisedEmail(kept)).toBe(once)
      }),
    )
  })

  it('keeps different addresses apart', () => {
    expect(normalisedEmail('some.body@example.test')).not.toBe(normalisedEmail('somebody@example.test'))
    expect(normalisedEmail('somebody+1@example.test')).not.toBe(normalisedEmail('somebody@example.test'))
  })
})
