/** Signing in to the panel, over HTTP. */
import { expect, test } from 'vitest'
import { startPanel } from './service.ts'

const panel = await startPanel()

test('whoever signs in is told who he is', async () => {
  const { id, email, as } = await panel.somebody('ADMIN')
  const me = await panel.call('GET', '/api/auth/me', { as })
  expect(me.body).toMatchObject({ id, email, role: 'ADMIN', status: 'ACTIVE', permissions: [], totpEnabled: false })
})
