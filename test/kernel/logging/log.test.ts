import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newSecret, SECRET_KINDS } from '#kernel/credentials/secret-token'
import type { SecretKind } from '#kernel/credentials/secret-token'
import { secretPattern } from '#kernel/lib/secret-pattern'
import { logger, maskLine, maskText } from '#kernel/logging/log'
import { newWebhookSecret } from '#kernel/outbound/standard-webhooks'
import { cpuMs } from '#test/support/cpu-ms'
import '../../../src/config/stripe-secrets.ts'

const KINDS = Object.keys(SECRET_KINDS) as SecretKind[]
const JWS = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJlLWNhbmFyeS1jYW5hcnk'

function lines(write: (log: ReturnType<typeof logger>) => void): any[] {
  const written: string[] = []
  write(logger({ level: 'debug', destination: { write: (line) => void written.push(line) } }))
  return written.map((line) => JSON.parse(line))
}

describe('the log', () => {
  const afterwards = randomBytes(24).toString('hex')
  const secrets = [
    ...KINDS.map(newSecret),
    newWebhookSecret(),
    // https://docs.stripe.com/keys
    ...['sk', 'rk', 'pk', 'sk_org'].flatMap((kind) => [`${kind}_live_${afterwards}`, `${kind}_test_${afterwards}`]),
    `whsec_${afterwards}`,
    JWS,
    'canary.person+x@mail.example.test',
    'jürgen@exämple.test',
  ]

  it.each(secrets)('never holds %s, wherever it was written', (secret) => {
    const error = Object.assign(new Error(`bad ${secret}`, { cause: new Error(secret) }), {
      detail: `Key (email)=(${secret}) exists`,
      list: [{ deep: `<${secret}>` }],
    })
    const all = lines((log) => {
      log.info(`a "${secret}"\n${secret}`)
      log.info('formatted %s', secret)
      log.info({ nested: { deeply: [`x,${secret};`] }, [secret]: 1 }, 'object')
      log.error({ err: error }, 'failed')
      log.error(error)
      log.child({ bound: secret }).info('child')
    })
    expect(all).toHaveLength(6)
    expect(JSON.stringify(all.map(({ [secret]: _key, ...rest }) => rest))).not.toContain(secret)
    expect(all[3]).toMatchObject({ err: { type: 'Error', stack: expect.stringContaining('log.test.ts') } })
  })

  it('knows every beginning of the secrets that are made or taken, also where they are cut off', () => {
    const begun = [...KINDS.map((kind) => `db${kind}_`), 'whsec_', 'sk_live_', 'sk_test_', 'rk_live_', 'rk_test_']
    for (const beginning of begun) {
      for (const before of ['', ' ', '"', '(', ':', '=', '/', '_', '-', 'Bearer ', 'Bearer%20', '?x=%3d'])
        expect(maskText(`${before}${beginning}AbCdEfGhIjKl.`), beginning).toBe(`${before}[secret].`)
      expect(maskText(`${beginning}AbCdEfGh`), 'what lists show').toBe(`${beginning}AbCdEfGh`)
    }
  })

  it('knows a secret that is declared later', () => {
    const later = 'later_0123456789abcdef'
    expect(maskText(later)).toBe(later)
    expect(secretPattern({ prefix: 'later_', character: '[0-9a-f]', least: 16, most: 16 }).matches(later)).toBe(true)
    expect(maskText(`x ${later} y`)).toBe('x [secret] y')
    expect(maskLine(`{"msg":"${later}"}\n`)).toBe('{"msg":"[secret]"}\n')
  })

  it('masks what an address carries by a name of a secret', () => {
    const secret = randomBytes(32).toString('base64url')
    for (const name of ['token', 'sseToken', 'setupToken', 'signature', 'Password'])
      for (const link of [
        `https://a.test/x#${name}=${secret}`,
        `/x?a=1&${name}=${secret}&b=2`,
        `/x?${name}=${secret}`,
      ]) {
        const [line] = lines((log) => log.info({ link }, `"${link}"`))
        expect(JSON.stringify(line), link).not.toContain(secret)
        expect(line.link).toContain(`${name}=[secret]`)
      }
  })

  it('redacts what is secret by its name, at every depth', () => {
    const names = ['authorization', 'cookie', 'set-cookie', 'password', 'secret', 'token', 'licenseKey', 'totp']
    for (const name of names) {
      const all = lines((log) => {
        log.info({ [name]: 'canary' })
        log.info({ body: { [name]: 'canary' } })
        log.info({ request: { body: { [name]: ['canary'] } } })
        log.info({ a: [{ b: { c: { d: [{ [name]: { e: 'canary' } }] } } }] })
        log.error({ err: Object.assign(new Error('failed'), { [name]: 'canary' }) })
        log.child({ [name]: 'canary' }).info('child')
      })
      expect(JSON.stringify(all), name).not.toContain('canary')
      expect(all).toHaveLength(6)
      expect(all[0]).toHaveProperty([name], '[redacted]')
    }
  })

  it('writes a line unchanged only if it has nothing to mask', () => {
    const pieces = [
      '.',
      '@',
      '=',
      '?',
      '#',
      ':',
      '"',
      '\\',
      '\n',
      ' ',
      'a',
      'é',
      '-',
      '_',
      '0',
      'sk_live',
      'dbk_',
      '"token":',
    ]
    const words = ['abcdefghij', 'abcdefghijabcdefghij', '?token=x', JWS]
    const part = fc.oneof(fc.constantFrom(...pieces), fc.constantFrom(...words), fc.constantFrom(...secrets))
    const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''))
    const named = fc.constantFrom('token', 'cookie', 'route', 'tokens')
    fc.assert(
      fc.property(text, named, text, (value, name, msg) => {
        const line = `${JSON.stringify({ list: [{ [name]: value }], msg })}\n`
        const list = [{ [name]: ['token', 'cookie'].includes(name) ? '[redacted]' : maskText(value) }]
        expect(JSON.parse(maskLine(line))).toEqual({ list, msg: maskText(msg) })
      }),
      { numRuns: 2_000 },
    )
  })

  it('leaves the rest alone', () => {
    const [line] = lines((log) =>
      log.info({ route: 'GET /api/admin/plans/:id', requestId: '01a1f71f-5589-7379-a68c-e9d04f67c881' }, 'request'),
    )
    expect(line).toMatchObject({
      route: 'GET /api/admin/plans/:id',
      requestId: '01a1f71f-5589-7379-a68c-e9d04f67c881',
      msg: 'request',
    })
    const plain = 'at Object.<anonymous> (node_modules/@koa/router/dist/index.mjs:10:5) dbm_short a.b.c 1.2.3'
    expect(maskText(plain)).toBe(plain)
  })

  it('stays one line of JSON whatever is logged', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('@a.test', `\n${JWS}`, '\u001ba@b.c', '\\a@b'),
        (text, tail) => {
          const [line] = lines((log) => log.info({ text: text + tail }, tail))
          expect(typeof line.text).toBe('string')
        },
      ),
    )
  })

  it('costs a long line no more than its length', async () => {
    for (const piece of [
      'a',
      'a.',
      'a@',
      'aaaaaaaaaa.',
      '@',
      'dbm_',
      '.-',
      'sk_live_',
      'sk_live_.',
      'whsec_',
      '?token=',
      '#',
    ]) {
      const line = `${JSON.stringify({ msg: piece.repeat(200_000 / piece.length) })}\n`
      expect(await cpuMs(() => JSON.parse(maskLine(line))), piece).toBeLessThan(500)
    }
  })
})
