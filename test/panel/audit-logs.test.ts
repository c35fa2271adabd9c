/** What the audit trail of the panel says, over HTTP. */
import { expect, test } from 'vitest'
import { startPanel } from './service.ts'

const panel = await startPanel()

test('the actions in the trail are listed, each once', async () => {
  const { as } = await panel.somebody('SUPERADMIN')
  await panel.somebody('SUPERADMIN')
  const { body } = await panel.call('GET', '/api/admin/audit-logs/actions', { as })
  expect(body).toEqual(['user.added', 'user.enrolled', 'user_session.started'])
})
