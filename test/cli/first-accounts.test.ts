/** Whose sign-in `daybook start` shows. */
import { expect, test } from 'vitest'
import { firstUser } from '../../src/cli/start-panel.ts'
import { firstStaff } from '../../src/evaluation/first-start.ts'
import { startService } from '../support/licensing/service.ts'
import { startPanel } from '../support/panel/service.ts'

test('of the panel it is the oldest SUPERADMIN who may sign in', async () => {
  const { panel, somebody, call } = await startPanel()
  await somebody()
  const [oldest, second] = [await somebody('SUPERADMIN'), await somebody('SUPERADMIN')]
  expect((await firstUser(panel))?.email).toBe(oldest.email)
  const suspended = await call('PATCH', `/api/admin/users/${oldest.id}/status`, {
    as: second.as,
    body: { status: 'SUSPENDED' },
  })
  expect(suspended.status, suspended.text).toBe(200)
  expect((await firstUser(panel))?.email).toBe(second.email)
})

test('of licensing it is the oldest account that may sign in', async () => {
  const { licensing, somebody, call } = await startService()
  const [oldest, second] = [await somebody('AUDITOR'), await somebody('SUPERADMIN')]
  expect((await firstStaff(licensing))?.email).toBe(oldest.email)
  const removed = await call('DELETE', `/api/admin/staff/${oldest.id}`, { as: second.accessToken })
  expect(removed.status, removed.text).toBe(204)
  expect((await firstStaff(licensing))?.email).toBe(second.email)
})
