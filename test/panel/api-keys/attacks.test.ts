/** Guessed API keys, and keys from addresses that are not allowed: the limits and the answers (A5, A6, A8). */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { newSecret } from '#kernel/credentials/secret-token'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import * as projection from '#projections/panel/api-keys/owner'
import { apiKeyFixture, stableReply } from '../../support/panel/api-key-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

vi.mock(import('#projections/panel/api-keys/owner'), async (original) => {
  const real = await original()
  return { ...real, findKeyWithOwner: vi.fn(real.findKeyWithOwner) }
})

const PER_MINUTE = 30
const options = { trustedProxies: parseTrustedProxies('127.0.0.1'), compareReadModels: false }
const panel = await startPanel(options)
const direct = await startPanel({ compareReadModels: false })
const limited = await startPanel({ ...options, authFailuresPerMinute: PER_MINUTE })
const NO_KEY = { statusCode: 401, message: 'Invalid or expired API key' }

describe('garbage', () => {
  const wrongChecksum = () => newSecret('k').replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  const letters = () => newSecret('k').slice(0, -6)

  test('asks no database, and is answered like a key that nobody has', async () => {
    vi.mocked(projection.findKeyWithOwner).mockClear()
    const use = (secret: string) => panel.call('GET', '/api/projects', { as: secret })
    const garbage = [wrongChecksum(), 'dbk_', `${letters()}000000`, letters(), `dbk_${'x'.repeat(4_000)}`, 'dbk_~~~']
    const answers = await Promise.all(garbage.map(use))
    expect(vi.mocked(projection.findKeyWithOwner)).not.toHaveBeenCalled()
    const unknown = stableReply(await use(newSecret('k')))
    expect(vi.mocked(projection.findKeyWithOwner)).toHaveBeenCalledTimes(1)
    for (const answer of answers) expect(stableReply(answer)).toEqual(unknown)
  })

  test('is told for one address like for another, with a header that is misspelled in every way', async () => {
    const secret = newSecret('k')
    for (const authorization of [
      '',
      'Bearer',
      `Basic ${secret}`,
      `Bearer  ${secret}`,
      `Bearer ${secret},${secret}`,
      secret,
    ]) {
      const { status } = await panel.call('GET', '/api/projects', { headers: { authorization } })
      expect(status, authorization).toBe(401)
    }
  })
})

describe('guesses', () => {
  const from = (ip: string) => ({ 'x-forwarded-for': ip })
  const guess = (ip: string, scheme = 'Bearer') =>
    limited.call('GET', '/api/projects', { headers: { ...from(ip), authorization: `${scheme} ${newSecret('k')}` } })

  test('are limited by the /64 that they come from, however they are spelled, and lock nobody out', async () => {
    const { secret } = await apiKeyFixture(limited).minted(await limited.somebody())
    await limited.panel.projector.catchUp()
    const use = () => limited.call('GET', '/api/projects', { as: secret, headers: from('2001:db8:1:1::9') })
    expect((await use()).status).toBe(200)
    const startedMs = performance.now()
    const spellings = ['Bearer', 'bearer', 'BEARER']
    const replies = await Promise.all(
      Array.from({ length: 5 * PER_MINUTE }, (_, nth) => guess(`2001:db8:1:1::${nth + 1}`, spellings[nth % 3])),
    )
    const forgiven = 1 + ((performance.now() - startedMs) * PER_MINUTE) / 60_000
    const looked = replies.filter(({ status }) => status === 401).length
    expect(looked).toBeGreaterThanOrEqual(PER_MINUTE)
    expect(looked).toBeLessThanOrEqual(PER_MINUTE + forgiven)
    const away = replies.filter(({ status }) => status !== 401)
    for (const { status, headers } of away)
      expect([status, headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
    expect((await use()).status, 'who is let in behind the same address').toBe(200)
    expect((await guess('2001:db8:1:2::1')).status, 'the neighbour').toBe(401)
  })

  test('are counted by the address that the proxy saw, not by one that the caller says', async () => {
    const pretended = Array.from({ length: 3 * PER_MINUTE }, (_, nth) => guess(`198.51.100.${nth}, 203.0.113.5`))
    const statuses = (await Promise.all(pretended)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
  })
})

describe('a key that is for 192.0.2.7', () => {
  const allowedIps = ['192.0.2.7', '2001:db8:7::/48']
  let minted: { readonly secret: string }
  beforeAll(async () => {
    minted = await apiKeyFixture(panel).minted(await panel.somebody(), { allowedIps })
  })
  const use = (headers: Record<string, string>) => panel.call('GET', '/api/projects', { as: minted.secret, headers })

  test.each([
    '192.0.2.7',
    '::ffff:192.0.2.7',
    '::ffff:c000:207',
    '2001:db8:7:1::1',
    '10.9.9.9, 192.0.2.7',
    ' 192.0.2.7 ',
  ])('is let in from %j', async (address) => expect((await use({ 'x-forwarded-for': address })).status).toBe(200))

  test.each<[string, Record<string, string>]>([
    ['a wrong address', { 'x-forwarded-for': '192.0.2.8' }],
    ['the right one, written by the caller', { 'x-forwarded-for': '192.0.2.7, 203.0.113.5' }],
    ['the right one before an empty one', { 'x-forwarded-for': '192.0.2.7,' }],
    ['nothing at all', {}],
    ['nothing', { 'x-forwarded-for': '' }],
    ['a port', { 'x-forwarded-for': '192.0.2.7:443' }],
    ['brackets', { 'x-forwarded-for': '[2001:db8:7::1]' }],
    ['brackets and a port', { 'x-forwarded-for': '[2001:db8:7::1]:443' }],
    ['a zone', { 'x-forwarded-for': '2001:db8:7::1%eth0' }],
    ['quotes', { 'x-forwarded-for': '"192.0.2.7"' }],
    ['leading zeros', { 'x-forwarded-for': '192.000.002.007' }],
    ['an octal octet', { 'x-forwarded-for': '0300.0.2.7' }],
    ['a hexadecimal address', { 'x-forwarded-for': '0xc0000207' }],
    ['a number', { 'x-forwarded-for': '3221225991' }],
    ['a short one', { 'x-forwarded-for': '192.0.519' }],
    ['a compatible one', { 'x-forwarded-for': '::192.0.2.7' }],
    ['a translated one', { 'x-forwarded-for': '64:ff9b::192.0.2.7' }],
    ['full-width digits', { 'x-forwarded-for': '%EF%BC%91192.0.2.7' }],
    ['a name', { 'x-forwarded-for': 'unknown' }],
    ['the proxy itself', { 'x-forwarded-for': '127.0.0.1' }],
    ['another header of a proxy', { forwarded: 'for=192.0.2.7' }],
    ['yet another one', { 'x-real-ip': '192.0.2.7' }],
    [
      'that of a network',
      { 'cf-connecting-ip': '192.0.2.7', 'true-client-ip': '192.0.2.7', 'x-client-ip': '192.0.2.7' },
    ],
  ])('is refused from %s, like one that nobody has', async (_what, headers) => {
    const unknown = await panel.call('GET', '/api/projects', { as: newSecret('k'), headers })
    expect(unknown.body).toEqual(NO_KEY)
    expect(stableReply(await use(headers))).toEqual(stableReply(unknown))
  })

  test('without a trusted proxy no header speaks for anybody', async () => {
    const { secret } = await apiKeyFixture(direct).minted(await direct.somebody(), { allowedIps })
    const headers = { 'x-forwarded-for': '192.0.2.7', forwarded: 'for=192.0.2.7', 'x-real-ip': '192.0.2.7' }
    expect((await direct.call('GET', '/api/projects', { as: secret, headers })).body).toEqual(NO_KEY)
    const { secret: near } = await apiKeyFixture(direct).minted(await direct.somebody(), { allowedIps: ['127.0.0.1'] })
    expect((await direct.call('GET', '/api/projects', { as: near, headers })).status).toBe(200)
  })
})
