/** Operations of a panel: over HTTP, on a real Postgres, with real workers and their queue. */
import { Writable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { logger } from '#kernel/logging/log'
import { operationLog } from '#kernel/resource/operation-log'
import { daybook } from '#test/support/processes/process'
import { statusesOf, storm } from '#test/support/storm'
import { openWorker } from '../../../src/composition/worker.ts'
import { waitUntil } from '../../support/kernel/job-fixture.ts'
import { noteImports } from '../../support/panel/notes/operation.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { TestUser } from '../../support/panel/service.ts'

vi.mock('#panel/index', async (original) => {
  const { sections } = await original<typeof import('#panel/index')>()
  const { notesSection } = await import('../../support/panel/notes/index.ts')
  const { drillsSection } = await import('../../support/panel/drills.ts')
  return { sections: [...sections, notesSection, drillsSection] }
})

const SECOND_MS = 1_000
const DAY_MS = 86_400 * SECOND_MS
const WORKER = new URL('../../support/panel/notes-worker.ts', import.meta.url).pathname

const panel = await startPanel()
const { get, post, remove, project, member } = projectFixture(panel)
await panel.licensed()
let owner = await panel.somebody()

const textOf = (lines: number) => Array.from({ length: lines }, (_none, nth) => `Note ${nth + 1}`).join('\n')
const start = async (id: string, lines: number) =>
  ok(await post(owner, `/${id}/note-imports`, { text: textOf(lines) }), 202)
const notesOf = async (id: string): Promise<string[]> =>
  ok(await get(owner, `/${id}/notes`)).map(({ text }: { text: string }) => text)
const logOf = async (path: string): Promise<{ nth: number; line: string }[]> => ok(await get(owner, `${path}/log`))

async function ended(path: string): Promise<any> {
  let shown: any
  await waitUntil(async () => (shown = ok(await get(owner, path))).finishedAt !== null)
  return shown
}

/** Runs a real worker in this process during `work`. @returns what it logs */
async function withWorker(work: () => Promise<void>): Promise<string> {
  const lines: string[] = []
  const sink = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line))
      done()
    },
  })
  const worker = await openWorker(panel.panel, panel.settings, logger({ level: 'info', destination: sink }))
  await work().finally(() => worker.close(0))
  return lines.join('')
}

/** Sessions end in that time, so the owner signs in again. */
async function passTime(ms: number): Promise<void> {
  panel.passTime(ms)
  owner = { ...owner, as: await panel.signIn(owner.email) }
}

test('an operation is answered 202, runs in a worker, and can be watched to its end', async () => {
  const id = await project(owner)
  const asked = await start(id, 3)
  expect(asked).toEqual({
    id: expect.any(String),
    projectId: id,
    text: textOf(3),
    status: 'REQUESTED',
    createdAt: expect.any(String),
    startedAt: null,
    finishedAt: null,
    errorCode: null,
    errorMessage: null,
    notes: null,
  })
  const path = `/${id}/note-imports/${asked.id}`
  expect(ok(await get(owner, path))).toEqual(asked)
  expect(ok(await get(owner, `/${id}/note-imports`))).toEqual([asked])
  await withWorker(async () => {
    const shown = await ended(path)
    expect(shown).toMatchObject({
      ...asked,
      status: 'FINISHED',
      notes: 3,
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
    })
    expect(asked.createdAt < shown.startedAt && shown.startedAt < shown.finishedAt).toBe(true)
  })
  expect((await notesOf(id)).toSorted()).toEqual(textOf(3).split('\n'))
  expect((await logOf(path)).map(({ nth, line }) => [nth, line])).toEqual([
    [1, 'Imported line 1 of 3'],
    [2, 'Imported line 2 of 3'],
    [3, 'Imported line 3 of 3'],
  ])
  expect(ok(await get(owner, `${path}/log?after=2`))).toMatchObject([{ nth: 3 }])
})

test('of fifty requests at once one starts', async () => {
  const id = await project(owner)
  const { replies } = await storm(50, () => post(owner, `/${id}/note-imports`, { text: 'One' }))
  expect(statusesOf(replies)).toEqual({ 202: 1, 409: 49 })
  expect(refusalIn(replies.find(({ status }) => status === 409)!)).toEqual([409, 'NOT_ENDED'])
  expect(
    (await panel.history()).filter(({ type, stream }) => type === 'NoteImportRequested' && stream.endsWith(id)),
  ).toHaveLength(1)
  await panel.settle()
  expect(await notesOf(id)).toEqual(['One'])
  await start(id, 1)
  await panel.settle()
})

test('only those who see the project watch, only those with the permission start, and paths name the project', async () => {
  const [id, other] = [await project(owner), await project(owner)]
  const [viewer, stranger]: TestUser[] = [await member(owner, id, { role: 'VIEWER' }), await panel.somebody()]
  const asked = await start(id, 1)
  for (const path of ['', `/${asked.id}`, `/${asked.id}/log`]) {
    expect((await get(viewer!, `/${id}/note-imports${path}`)).status).toBe(200)
    expect((await get(stranger!, `/${id}/note-imports${path}`)).status).toBe(404)
  }
  for (const path of ['', '/log'])
    expect((await get(owner, `/${other}/note-imports/${asked.id}${path}`)).status).toBe(404)
  expect(ok(await get(owner, `/${other}/note-imports`))).toEqual([])
  expect(refusalIn(await post(viewer!, `/${id}/note-imports`, { text: 'x' }))).toEqual([403, 'PERMISSION_MISSING'])
  expect((await post(stranger!, `/${id}/note-imports`, { text: 'x' })).status).toBe(404)
  expect((await post(owner, `/${id}/note-imports`, { text: '' })).status).toBe(400)
  await panel.settle()
})

test('a worker that is killed in the middle leaves an operation that ends, with each effect once', async () => {
  const id = await project(owner)
  const { databaseUrl, secretKey, eventStoreUrl = [] } = panel.settings
  const victim = daybook([databaseUrl, secretKey.toString('hex'), eventStoreUrl].flat(), {}, undefined, WORKER)
  await victim.until('started')
  const { id: importId } = await start(id, 50)
  const path = `/${id}/note-imports/${importId}`
  await waitUntil(async () => (await logOf(path)).length > 3)
  await victim.stop('SIGKILL')
  const before = ok(await get(owner, path))
  expect(before).toMatchObject({ status: 'RUNNING', notes: null })
  expect(await post(owner, `/${id}/note-imports`, { text: 'x' })).toMatchObject({ status: 409 })
  await panel.settle()
  expect(ok(await get(owner, path))).toMatchObject({ status: 'FINISHED', notes: 50, startedAt: before.startedAt })
  expect((await notesOf(id)).toSorted()).toEqual(textOf(50).split('\n').toSorted())
  const types = (await panel.history()).filter(({ stream }) => stream === `noteImports-${id}`).map(({ type }) => type)
  expect(types).toEqual(['NoteImportRequested', 'NoteImportStarted', 'NoteImportFinished'])
})

test('a rejection ends the operation with its code and its message', async () => {
  const id = await project(owner)
  const { id: importId } = await start(id, 51)
  await withWorker(async () => {
    expect(await ended(`/${id}/note-imports/${importId}`)).toMatchObject({
      status: 'FAILED',
      errorCode: 'TOO_MANY',
      errorMessage: 'A project has at most 50 notes',
      notes: null,
    })
  })
  expect(await notesOf(id)).toHaveLength(50)
})

const drill = async (id: string, does: string): Promise<string> =>
  `/${id}/drills/${ok(await post(owner, `/${id}/drills`, { does }), 202).id}`
const linesOf = async (path: string) => (await logOf(path)).map(({ line }) => line)

/** The position of the event that requested the operation. */
const requestOf = async (path: string): Promise<number> =>
  (await panel.history()).find(({ data }) => data['drillId'] === path.split('/').at(-1))!.position

/** Moves a reaction past all events, as a release does that renames it. */
const loseJobs = async (reaction: string) =>
  panel.superuser.query('UPDATE telemetry.work_reaction SET position = $2 WHERE name = $1', [
    reaction,
    (await panel.history()).at(-1)!.position,
  ])

test('an operation that breaks is tried three times; its caller learns nothing of the reason, and the operator does', async () => {
  const id = await project(owner)
  const [broken, busy] = [await drill(id, 'break'), await drill(await project(owner), 'be busy')]
  const logged = await withWorker(async () => {
    for (const path of [broken, busy])
      expect(await ended(path)).toMatchObject({
        status: 'FAILED',
        errorCode: 'INTERNAL',
        startedAt: expect.any(String),
      })
  })
  expect(await linesOf(broken)).toEqual(['began to break', 'began to break', 'began to break'])
  expect(await linesOf(busy)).toHaveLength(3)
  expect(logged).toContain('an operation failed: drills')
  expect(logged).toContain('the drill of [email] broke')
  expect((await get(owner, broken)).text).not.toContain('broke')

  await drill(id, 'wait')
  await loseJobs('drills')
  await panel.superuser.query("INSERT INTO telemetry.work_pending (reaction, position) VALUES ('drills', $1)", [
    await requestOf(broken),
  ])
  await panel.settle()
  expect(await linesOf(broken), 'a repeated job of an operation that has ended does nothing').toHaveLength(3)
})

test('a worker that stops leaves the operation running, and the next one tells it to stop when its time is over', async () => {
  const path = await drill(await project(owner), 'wait')
  // The next failure would be the third, but neither a stop of the worker nor the end of the time is one.
  await panel.superuser.query(
    "INSERT INTO telemetry.work_failure (name, key, failures, error) VALUES ('drills', $1, 2, 'of a test')",
    [String(await requestOf(path))],
  )
  const beganMs = performance.now()
  await withWorker(() => waitUntil(async () => (await linesOf(path)).length === 1))
  expect(ok(await get(owner, path))).toMatchObject({ status: 'RUNNING', finishedAt: null })
  expect(await linesOf(path)).toEqual(['began to wait', 'was told to stop'])
  await passTime(56 * SECOND_MS - (performance.now() - beganMs))
  await withWorker(async () => {
    expect(await ended(path)).toMatchObject({ status: 'FAILED', errorCode: 'TIMEOUT' })
    await waitUntil(async () => (await linesOf(path)).length === 4)
  })
  expect((await linesOf(path)).slice(2)).toEqual(['began to wait', 'was told to stop'])
})

test('an operation that no worker began in time is not begun later', async () => {
  const id = await project(owner)
  const { id: importId } = await start(id, 3)
  await passTime(600 * SECOND_MS)
  await panel.settle()
  expect(ok(await get(owner, `/${id}/note-imports/${importId}`))).toMatchObject({
    status: 'FAILED',
    errorCode: 'TIMEOUT',
    startedAt: null,
  })
  expect(await notesOf(id)).toEqual([])
})

test('an operation whose job is lost for good ends when its time is over', async () => {
  const id = await project(owner)
  const { id: importId } = await start(id, 3)
  const path = `/${id}/note-imports/${importId}`
  await panel.run((unit) => unit.decide(noteImports, id, 'Start', { id: importId }))
  await loseJobs('note-imports')
  await passTime(599 * SECOND_MS)
  await panel.settle()
  expect(ok(await get(owner, path))).toMatchObject({ status: 'RUNNING' })
  await passTime(SECOND_MS)
  await panel.settle()
  expect(ok(await get(owner, path))).toMatchObject({ status: 'FAILED', errorCode: 'TIMEOUT', notes: null })
  await start(id, 1)
  await panel.settle()
  expect(await notesOf(id)).toEqual(['Note 1'])
})

test('the log keeps the newest thousand lines of each operation, sealed, for 90 days', async () => {
  const id = await project(owner)
  const { id: importId } = await start(id, 1)
  await panel.settle()
  const { vault, pool: telemetry } = panel.panel
  const log = operationLog({ telemetry, vault }, importId, `project/${id}`)
  const together = Array.from({ length: 50 }, (_none, nth) => `together ${nth}`)
  await Promise.all(together.map((line) => log.add(line)))
  const added = await log.after(1)
  expect(added.map(({ nth }) => nth)).toEqual(together.map((_line, nth) => nth + 2))
  expect(added.map(({ line }) => line).toSorted()).toEqual(together.toSorted())
  await panel.superuser.query(
    `INSERT INTO telemetry.operation_log (operation_id, nth, line) SELECT operation_id, more.nth, line
      FROM telemetry.operation_log AS known, generate_series(52, 999) AS more (nth) WHERE operation_id = $1 AND known.nth = 1`,
    [importId],
  )
  await log.add('line 1000')
  const read = async () => (await log.after(0)).map(({ nth, line }) => [nth, line] as const)
  expect([(await read()).length, (await read())[0]]).toEqual([1_000, [1, 'Imported line 1 of 1']])
  await log.add(`line 1001 ${'–'.repeat(1_000)}`)
  await log.add('line 1002')
  const lines = await read()
  expect(lines.map(([nth]) => nth)).toEqual(Array.from({ length: 1_000 }, (_none, nth) => nth + 3))
  expect([lines.at(-2)![1].length, lines.at(-1)]).toEqual([1_000, [1_002, 'line 1002']])
  expect(await panel.dump()).not.toContain('Imported line')
  ok(await remove(owner, `/${id}`), 204)
  await panel.settle()
  await vi.waitFor(async () => expect(new Set((await read()).map(([, line]) => line))).toEqual(new Set(['ERASED'])))

  const count = async () => (await panel.superuser.query('SELECT FROM telemetry.operation_log')).rowCount
  await passTime(89 * DAY_MS)
  await panel.settle()
  expect(await count()).toBeGreaterThanOrEqual(1_000)
  await passTime(2 * DAY_MS)
  await panel.settle()
  expect(await count()).toBe(0)
})
