/**
 * A panel in another language: test/python/panel.py is written from docs/licensing/signed-requests.md with
 * Python's standard library and the package `cryptography`.
 */
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { newEd25519 } from '#kernel/credentials/jws'
import { freePort } from '#test/support/free-port'
import { startService } from '#test/support/licensing/service'
import { shopFixture } from '#test/support/licensing/shop-fixture'

const PANEL = join(import.meta.dirname, '../../python/panel.py')
const HOUR_MS = 3_600_000

/** Debian's package belongs to its own Python, which another one may hide. */
const python = ['python3', '/usr/bin/python3'].find(
  (program) => spawnSync(program, ['-c', 'import cryptography']).status === 0,
)
const isSkipped = python === undefined && !process.env['CI']
if (isSkipped) console.warn('!! python3-cryptography is not installed: the panel in Python is not run here')

describe.skipIf(isSkipped)('a panel in Python', async () => {
  const service = await startService({ baseUrl: `http://127.0.0.1:${await freePort()}` })
  const floor = await shopFixture(service)
  const { slug } = await floor.plan({ maxActivations: 10 })
  const { body: sold } = await floor.provision({ email: 'python@customer.test', planSlug: slug })
  const { body: keys } = await floor.get('/api/admin/settings/signing-keys')

  /** What the panel says of each step. */
  async function steps(root: string = keys.root.publicJwk.x) {
    if (python === undefined) throw new Error('Install python3-cryptography')
    const { stdout } = await promisify(execFile)(python, [PANEL, service.url, sold.licenseKey, root])
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }

  const done = { status: 200, errorCode: null }
  const refused = { status: 401, errorCode: 'LICENSE_SIGNATURE_INVALID' }

  test('activates, sends heartbeats, lists versions and deactivates; a flipped bit is refused', async () => {
    const said = await steps()
    const [activated, first] = said
    expect(said).toEqual([
      { step: 'activate', ...done, status: 201, state: 'OK', prev: null, jti: expect.any(String) },
      { step: 'heartbeat', ...done, state: 'OK', prev: activated.jti, jti: expect.any(String) },
      { step: 'next heartbeat', ...done, state: 'OK', prev: first.jti, jti: expect.any(String) },
      { step: 'a bit flipped in lic', ...refused },
      { step: 'a bit flipped in inst', ...refused },
      { step: 'versions', ...done, versions: [] },
      { step: 'deactivate', ...done, state: 'DEACTIVATED', prev: null, jti: expect.any(String) },
    ])
    for (const reason of ['wrong signature', 'the signature of the instance does not match'])
      expect(service.logs()).toContain(reason)
  })

  test('corrects its clock by that of the service', async () => {
    service.passTime(HOUR_MS)
    expect((await steps()).map(({ state }) => state)).toContain('DEACTIVATED')
    expect(service.logs()).toContain('CLOCK_SKEW')
  })

  test('believes no lease that the root key does not vouch for', async () => {
    await expect(steps(newEd25519().x)).rejects.toThrow('Refused: unknown key')
  })
})
