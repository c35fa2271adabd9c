/** Which callers may change the settings and keys of an installation. */
import { beforeAll, describe, expect, it } from 'vitest'
import { stepAt, totpCode } from '../../support/licensing/authenticator.ts'
import { STAFF_PASSWORD, startService } from '../../support/licensing/service.ts'

const service = await startService()
const KEYS = '/api/admin/settings/signing-keys'

describe('the signing keys', () => {
  let kid: string
  beforeAll(async () => {
    const { body } = await service.call('GET', KEYS, { as: await service.staff() })
    kid = body.items[0].kid
  })

  it.each([['BILLING'], ['SUPPORT'], ['RELEASE']] as const)('are not %s’s to see', async (role) => {
    expect((await service.call('GET', KEYS, { as: await service.staff(role) })).status).toBe(403)
  })

  it('are shown to an auditor, and changed by nobody but who may manage settings', async () => {
    const as = await service.staff('AUDITOR')
    expect((await service.call('GET', KEYS, { as })).status).toBe(200)
    for (const path of [KEYS, `${KEYS}/${kid}/promote`, `${KEYS}/${kid}/retire`, `${KEYS}/${kid}/compromise`])
      expect([path, (await service.call('POST', path, { as, body: { reason: 'x' } })).status]).toEqual([path, 403])
  })

  it('are changed with a fresh code where the account has a second factor', async () => {
    const as = await service.staff()
    const proof = { password: STAFF_PASSWORD }
    const { secret } = (await service.call('POST', '/api/admin/auth/2fa/setup', { as, body: proof })).body
    const step = stepAt(Date.now())
    const enabled = await service.call('POST', '/api/admin/auth/2fa/enable', {
      as,
      body: { ...proof, code: totpCode(secret, step - 1) },
    })
    expect(enabled.status, enabled.text).toBe(200)
    for (const [path, body] of [
      [KEYS, undefined],
      [`${KEYS}/${kid}/promote`, undefined],
      [`${KEYS}/${kid}/retire`, undefined],
      [`${KEYS}/${kid}/compromise`, { reason: 'x' }],
    ] as const) {
      const refused = await service.call('POST', path, { as, ...(body ? { body } : {}) })
      expect([path, refused.status, refused.headers.get('error-code')]).toEqual([path, 403, 'STEP_UP_REQUIRED'])
    }
    const code = totpCode(secret, stepAt(Date.now()))
    expect((await service.call('POST', '/api/admin/auth/step-up', { as, body: { code } })).status).toBe(204)
    expect((await service.call('POST', KEYS, { as })).status).toBe(201)
  })
})
