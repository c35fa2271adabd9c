/** The audit trail of the panel, over HTTP. */
import { expect, test } from 'vitest'
import { startPanel } from '../../support/panel/service.ts'
import type { TestUser } from '../../support/panel/service.ts'

const panel = await startPanel()

const logs = (as: string, query: string) => panel.call('GET', `/api/admin/audit-logs?${query}`, { as })

async function makeProject({ as }: TestUser, name: string): Promise<{ id: string; requestId: string }> {
  const made = await panel.call('POST', '/api/projects', { as, body: { name } })
  expect(made.status, made.text).toBe(201)
  await panel.panel.projector.catchUp()
  return { id: made.body.id, requestId: made.headers.get('x-request-id')! }
}

/** An account that may read the trail, and its actions: the account, its session, two projects. */
async function grounds() {
  await panel.licensed()
  const auditor = await panel.somebody('ADMIN', ['audit:view'])
  const one = await makeProject(auditor, 'Secret one')
  const other = await makeProject(auditor, 'Secret other')
  return { auditor, one, other }
}

test('the actions in the trail are listed, each once', async () => {
  const { as } = await panel.somebody('SUPERADMIN')
  await panel.somebody('SUPERADMIN')
  const { body } = await panel.call('GET', '/api/admin/audit-logs/actions', { as })
  expect(body).toEqual(['user.added', 'user.enrolled', 'user_session.started'])
})

test('what somebody did is found with who he is, from where, and by which request', async () => {
  const { auditor, one } = await grounds()
  const { body } = await logs(auditor.as, `actor=${auditor.id}&action=project.created&subject=${one.id}`)
  expect(body).toEqual([
    {
      position: expect.any(Number),
      at: expect.any(String),
      actor: { type: 'USER', id: auditor.id, label: auditor.email, ip: '127.0.0.1' },
      action: 'project.created',
      subject: { type: 'project', id: one.id, label: null },
      requestId: one.requestId,
      sentence: expect.stringContaining(one.id),
      meta: expect.objectContaining({ projectId: one.id }),
    },
  ])
})

test('the trail shows nothing that is sealed', async () => {
  const { auditor, one } = await grounds()
  const { text } = await logs(auditor.as, `project=${one.id}`)
  expect(text).toContain(one.id)
  expect(text).not.toContain('Secret')
})

test('a project finds every entry that names it, and none of another', async () => {
  const { auditor, one, other } = await grounds()
  const { body } = await logs(auditor.as, `project=${one.id}`)
  expect(body.length).toBeGreaterThan(0)
  for (const entry of body) expect(JSON.stringify(entry)).toContain(one.id)
  expect(JSON.stringify(body)).not.toContain(other.id)
  const narrower = await logs(auditor.as, `project=${one.id}&subject=${other.id}`)
  expect(narrower.body).toEqual([])
})

test('a type of actor finds all of it', async () => {
  const { auditor } = await grounds()
  const { body } = await logs(auditor.as, 'actor=USER')
  expect(body.length).toBeGreaterThan(0)
  expect(body.every((entry: any) => entry.actor.type === 'USER')).toBe(true)
})

test('from is the first moment of what is found, to the first that is not', async () => {
  const { auditor, one } = await grounds()
  const { body } = await logs(auditor.as, `subject=${one.id}&action=project.created`)
  const { at } = body[0]
  const just = `subject=${one.id}&action=project.created`
  expect((await logs(auditor.as, `${just}&from=${at}`)).body).toHaveLength(1)
  expect((await logs(auditor.as, `${just}&to=${at}`)).body).toEqual([])
})

test('before leads to the beginning: nothing twice, nothing left out, the newest first', async () => {
  const { auditor } = await grounds()
  const all = (await logs(auditor.as, '')).body.map(({ position }: any) => position) as number[]
  expect(all).toEqual(all.toSorted((one, other) => other - one))
  const walked: number[] = []
  for (let before = all[0]! + 1; walked.length <= all.length;) {
    const { body } = await logs(auditor.as, `before=${before}&page=1&pageSize=3`)
    if (body.items.length === 0) break
    walked.push(...body.items.map(({ position }: any) => position))
    before = walked.at(-1)!
  }
  expect(walked).toEqual(all)
})

test('without audit:view nobody looks, and what is no filter is refused', async () => {
  const { auditor } = await grounds()
  const { as } = await panel.somebody('ADMIN', ['settings:view'])
  expect((await logs(as, '')).status).toBe(403)
  for (const wrong of ['page=1', 'before=0', 'before=x', 'from=yesterday', 'who=me', 'subject='])
    expect((await logs(auditor.as, wrong)).status, wrong).toBe(400)
})
