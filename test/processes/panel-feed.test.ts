/**
 * The change feed between processes: one writes and the reader is connected to another. If either dies, the
 * reader goes on at the other.
 */
import { afterAll, expect, test } from 'vitest'
import { MEMBER, callPanel, firstSession, memberSession } from '../support/processes/panel-process.ts'
import { openPanelSite } from '../support/processes/panel-site.ts'
import type { PanelProcess } from '../support/processes/panel-site.ts'
import { kindsIn, openSseClient } from '../support/sse-client.ts'
import type { SseClient } from '../support/sse-client.ts'

const site = await openPanelSite()
afterAll(site.close, 60_000)
const { superuser, serving } = site

async function call({ url }: PanelProcess, method: string, path: string, as?: string, body?: unknown): Promise<any> {
  const reply = await callPanel(url, method, path, as, body)
  expect(reply.status, `${method} ${path}: ${JSON.stringify(reply.body)}`).toBeLessThan(300)
  return reply.body
}

const login = async (panel: PanelProcess, who: object): Promise<string> =>
  (await call(panel, 'POST', '/auth/login', undefined, who)).accessToken

/** A process that no test ends, and the account that can sign in. */
async function opening() {
  const home = await serving()
  const boss = await firstSession(home.url, home.running)
  return { home, boss, ...(await memberSession(home.url, boss)) }
}

const opened = opening()

/** Cuts the connections that wake processes up; the processes reconnect. */
const cutWakeUps = () =>
  superuser.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN daybook_appended' AND datname = current_database()`,
  )

test('a reader hears at one process what another writes, and goes on at the other when his is killed', async () => {
  const { boss, id: userId, as } = await opened
  const [writer, reader] = [await serving(), await serving()]
  const { id } = await call(writer, 'POST', '/projects', boss, { name: 'Shop' })
  const rename = () => call(writer, 'PATCH', `/projects/${id}`, boss, { name: `Shop ${Math.random()}` })
  const add = () => call(writer, 'POST', `/projects/${id}/members`, boss, { userId, role: 'VIEWER' })
  /** Appends an event of the account's own. When it arrives, everything before it has arrived. */
  const marked = async (ear: SseClient) => {
    const before = ear.heard.length
    await call(writer, 'PATCH', '/auth/profile', as, { name: `Bob ${Math.random()}` })
    await ear.until(() => kindsIn({ heard: ear.heard.slice(before) }).includes('user.renamed'))
  }
  const changes = ({ heard }: SseClient) => kindsIn({ heard }).filter((kind) => kind === 'project.changed').length

  const ear = await openSseClient(reader.url, { as })
  expect(ear.status).toBe(200)
  await rename()
  await marked(ear)
  expect(changes(ear)).toBe(0)
  const membership = await add()
  for (let nth = 0; nth < 10; nth += 1) {
    await rename()
    if (nth % 3 === 0) await cutWakeUps()
  }
  await marked(ear)
  expect(changes(ear)).toBe(10)
  await call(writer, 'DELETE', `/projects/${id}/members/${membership.id}`, boss)
  await rename()
  await marked(ear)
  expect(changes(ear)).toBe(10)

  await add()
  reader.running.child.kill('SIGKILL')
  expect(await ear.over).toBe('cut')
  for (let nth = 0; nth < 5; nth += 1) await rename()
  const again = await openSseClient(writer.url, { as, from: ear.lastId() })
  await marked(again)
  expect(changes(again)).toBe(5)
  const ids = [...ear.heard, ...again.heard].map(({ id: position }) => position)
  expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other))

  // Far more than the process may take: open streams must end first.
  writer.running.child.kill('SIGTERM')
  expect(await again.over).toBe('ended')
  expect(await writer.running.ended()).toMatchObject({ code: 0, signal: null })
}, 120_000)

test('a session that is ended at one process has no stream at another', async () => {
  const { home, boss } = await opened
  const [as, other] = [await login(home, MEMBER), await serving()]
  const [his, hers] = [await openSseClient(other.url, { as }), await openSseClient(other.url, { as: boss })]
  await call(home, 'POST', '/auth/logout', as, {})
  expect(await his.over).toBe('ended')
  await call(home, 'PATCH', '/auth/profile', boss, { name: 'Ada' })
  await hers.until(() => kindsIn(hers).includes('user.renamed'))
  hers.close()
}, 120_000)
