import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logger, masked, maskedText } from '#kernel/log'
import { newSecret } from '#kernel/identity/secret'
import { cpuMs } from '#test/cpu-ms'

const JWS = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJlLWNhbmFyeS1jYW5hcnk'

function lines(write: (log: ReturnType<typeof logger>) => void): any[] {
  const written: string[] = []
  write(logger({ level: 'debug', destination: { write: (line) => void written.push(line) } }))
  return written.map((line) => JSON.parse(line))
}

describe('the log', () => {
  const secrets = [
    newSecret('m'),
    newSecret('k'),
    newSecret('r'),
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

  it('redacts what is secret by its name', () => {
    const names = ['authorization', 'cookie', 'password', 'secret', 'token', 'licenseKey', 'totp']
    for (const name of names) {
      const all = lines((log) => {
        log.info({ [name]: 'canary' })
        log.info({ body: { [name]: 'canary' } })
        log.info({ request: { body: { [name]: 'canary' } } })
      })
      expect(JSON.stringify(all), name).not.toContain('canary')
      expect(all).toHaveLength(3)
    }
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
    expect(maskedText(plain)).toBe(plain)
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
    for (const piece of ['a', 'a.', 'a@', 'aaaaaaaaaa.', '@', 'dbm_', '.-']) {
      const line = `${JSON.stringify({ msg: piece.repeat(200_000 / piece.length) })}\n`
      expect(await cpuMs(() => JSON.parse(masked(line))), piece).toBeLessThan(500)
    }
  })
})
