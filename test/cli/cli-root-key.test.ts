/**
 * `daybook root-key`: from the root key that an installation creates for itself to one that was never on a
 * server.
 */
import { createPublicKey } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { thumbprint } from '#kernel/credentials/jws'
import { verifiedManifest } from '../../src/license-client/manifest.ts'
import { openSite, signIn } from '../support/processes/site.ts'
import { scratchPath } from '../support/scratch.ts'

const KEYS = '/api/admin/settings/signing-keys'
const PASSPHRASE = { DAYBOOK_ROOT_PASSPHRASE: 'kept in a safe' }

const site = await openSite()
afterAll(site.close, 60_000)
const daybook = (...words: string[]) => site.finished(['root-key', ...words], PASSPHRASE)

test.each([[['make']], [['burn']], [['sign', 'a', 'b']], [['adopt', 'a']]])(
  '%j: what is not understood is not done',
  async (words) => {
    expect(await daybook(...words)).toMatchObject({ code: 2, complained: expect.stringMatching(/^Usage: /) })
  },
)

test('a root key is kept elsewhere, and vouches for keys by files that are carried', async () => {
  const service = await site.service()
  const as = await signIn(service)
  const overview = async () => (await service.call('GET', KEYS, { as })).body
  const published = async () => (await service.call('GET', '/api/v1/license/keys')).body.manifest as string
  expect(await daybook()).toMatchObject({ code: 0, said: expect.stringContaining('kept here, sealed in the database') })
  expect(service.said(), 'the service says so as it starts').toContain('"rootKey":"kept here, sealed in the database"')

  const folder = scratchPath()
  mkdirSync(folder)
  const [key, asked, signed, again, signedAgain, never] = [
    'key',
    'asked',
    'signed',
    'again',
    'signed-again',
    'never',
  ].map((name) => join(folder, name)) as [string, string, string, string, string, string]
  expect(await daybook('make', key)).toMatchObject({ code: 0, said: expect.stringContaining('It is encrypted') })
  expect(readFileSync(key, 'utf8')).toContain('BEGIN ENCRYPTED PRIVATE KEY')
  expect(statSync(key).mode & 0o777).toBe(0o600)
  expect(await daybook('make', key), 'nothing is overwritten').toMatchObject({ code: 1 })
  const { x } = createPublicKey(readFileSync(`${key}.pub`)).export({ format: 'jwk' })
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: x! } as const
  const root = { kid: thumbprint(jwk), jwk }

  expect(await daybook('request', asked)).toMatchObject({ code: 0 })
  expect(await daybook('sign', key, asked, signed)).toMatchObject({ code: 0, said: expect.stringContaining('current') })
  expect(await daybook('import', signed), 'it is not trusted yet').toMatchObject({ code: 1 })
  expect(await daybook('adopt', `${key}.pub`, signed)).toMatchObject({ code: 0 })
  expect(await overview()).toMatchObject({
    root: { kid: root.kid, kept: 'ELSEWHERE' },
    manifest: { serial: 2, upToDate: true },
  })
  expect(verifiedManifest(await published(), root)).toMatchObject({ serial: 2 })

  const { kid } = (await service.call('POST', KEYS, { as })).body
  const waiting = await overview()
  expect(waiting).toMatchObject({ manifest: { serial: 2, upToDate: false } })
  expect(waiting.items.at(-1)).toMatchObject({ kid, publishedAt: null })
  const early = await service.call('POST', `${KEYS}/${kid}/promote`, { as })
  expect([early.status, early.body.message]).toEqual([
    409,
    expect.stringContaining('have the root key sign a manifest'),
  ])
  expect(await daybook('import', signed), 'it is an old one').toMatchObject({
    code: 1,
    complained: expect.stringContaining('the next one is 3'),
  })
  await daybook('request', again)
  await daybook('sign', key, again, signedAgain)
  expect(await daybook('import', signedAgain)).toMatchObject({ code: 0 })
  expect(verifiedManifest(await published(), root)!.keys.map((each) => each.kid)).toContain(kid)
  expect((await site.finished(['doctor'])).said).toMatch(/root key kept offline/)

  writeFileSync(again, '{}', { flag: 'w' })
  expect(await daybook('sign', key, again, never)).toMatchObject({ code: 1 })
  await service.stop()
}, 120_000)
