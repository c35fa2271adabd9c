import { randomInt } from 'node:crypto'
import { dictionary } from '@zxcvbn-ts/language-common'
import { describe, expect, test } from 'vitest'
import { checkNewPassword } from '#kernel/credentials/password-policy'
import { cpuMs } from '#test/support/cpu-ms'

const alone = { withTotp: false }
const withTotp = { withTotp: true }

describe('the length of a new password', () => {
  test.each([
    [14, alone, 'PASSWORD_TOO_SHORT', 'at least 15'],
    [7, withTotp, 'PASSWORD_TOO_SHORT', 'at least 8'],
    [257, alone, 'PASSWORD_TOO_LONG', 'at most 256'],
    [257, withTotp, 'PASSWORD_TOO_LONG', 'at most 256'],
    [100_000, alone, 'PASSWORD_TOO_LONG', 'at most 256'],
  ])('%i code points are refused', async (length, rule, code, message) => {
    const refusal = { statusCode: 400, code, message: expect.stringContaining(message) as string }
    await expect(checkNewPassword(random(length), rule)).rejects.toMatchObject(refusal)
  })

  test.each([
    [15, alone],
    [8, withTotp],
    [256, alone],
  ])('%i code points are enough', async (length, rule) => {
    await expect(checkNewPassword(random(length), rule)).resolves.toBeUndefined()
  })

  test('counts code points after NFKC', async () => {
    const emoji = ['🦊', '🐢', '🦉', '🐬', '🐝', '🦔', '🐙', '🦩']
    await expect(checkNewPassword(emoji.slice(0, 7).join(''), withTotp)).rejects.toThrow('at least 8')
    await expect(checkNewPassword(emoji.join(''), withTotp)).resolves.toBeUndefined()
    await expect(checkNewPassword('u\u0308x\u0301o\u0308a\u0308', withTotp)).rejects.toThrow('at least 8')
  })

  test('does not let a long run of combining marks reach NFKC', async () => {
    const marks = '\u0301\u0323'.repeat(50_000)
    const spent = await cpuMs(() => expect(checkNewPassword(marks, alone)).rejects.toThrow('at most 256'))
    expect(spent).toBeLessThan(300)
  })

  test('half a character is no text', async () => {
    const half = '\uD83D'
    await expect(checkNewPassword(`${half}${random(20)}`, alone)).rejects.toMatchObject({ code: 'PASSWORD_NOT_TEXT' })
  })
})

describe('a new password that is easy to guess', () => {
  test('all of the listed passwords that are long enough are refused, in either case', async () => {
    const listed = dictionary['passwords-common'].filter((word) => word.length >= 8)
    expect(listed.length).toBeGreaterThan(3_000)
    for (const word of listed) {
      await expect(checkNewPassword(word, withTotp)).rejects.toMatchObject({ code: 'PASSWORD_COMMON' })
    }
    await expect(checkNewPassword('PassWord1', withTotp)).rejects.toMatchObject({ code: 'PASSWORD_COMMON' })
  })

  test.each([
    'passwordpassword',
    'password12345678',
    'Password1Password1',
    'Daybook2026Daybook2026',
    '!!!!daybook2026',
    'daybookdaybook2026',
    'Daybook12345678',
    'aaaaaaaaaaaaaaa',
    '123456789012345',
    '098765432109876',
    'qwertyuiopqwertyuiop',
    'abcdefghijklmno',
    'ponmlkjihgfedcba',
    'ｐａｓｓｗｏｒｄ12345678',
    'Alice@Example.com',
    'alice.archer2026',
    'Ascherfeld Foundry',
    'foundryfoundryfoundry',
  ])('%s', async (password) => {
    const rule = { withTotp: false, forbidden: ['alice.archer@example.com', 'alice@example.com', 'Ascherfeld Foundry'] }
    await expect(checkNewPassword(password, rule)).rejects.toMatchObject({
      statusCode: 400,
      code: 'PASSWORD_COMMON',
      message: 'The password is too common or too easy to guess: choose another one',
    })
  })
})

describe('a decent new password', () => {
  test.each([
    'correct horse battery staple',
    'my daybook keeps 7 plums',
    '839201746583920',
    '83920174658392dog',
    '839201746583920a',
    'wir fahren nach Łódź',
    '雨のち晴れ、傘はいらないと思う',
    '               .',
  ])('%s', async (password) => {
    await expect(checkNewPassword(password, { withTotp: false, forbidden: ['a@b.co', ''] })).resolves.toBeUndefined()
  })
})

function random(length: number): string {
  return Array.from({ length }, () => String.fromCharCode(randomInt(0x4e00, 0x9f00))).join('')
}
