/** The agent against a panel of this process: refusals, cancellation, times, lanes, restarts, and what a poll says. */
import { cp, mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { newEd25519, privateKeyOf, thumbprint } from '#kernel/credentials/jws'
import { uuidv7 } from '#kernel/lib/uuid'
import { startAgent } from '../../src/agent/agent.ts'
import type { Agent, AgentDependencies } from '../../src/agent/agent.ts'
import { performer, TaskFailure } from '../../src/agent/performer.ts'
import type { Performer } from '../../src/agent/performer.ts'
import { signEnvelope } from '../../src/tasks/envelope.ts'
import type { TaskToSend } from '../../src/tasks/envelope.ts'
import type { TaskKind } from '../../src/tasks/kind.ts'
import { planApply } from '../../src/tasks/plan.ts'
import { PollBody, ProgressBody, ResultBody } from '../../src/tasks/protocol.ts'
import type { LogLine } from '../../src/tasks/protocol.ts'
import { newBoxKeys, sealBox } from '../../src/tasks/sealed-box.ts'
import { append, echo, lines, sign, sleep } from '../support/agent/kinds.ts'
import { EFFECTS, SIGN, testAskers, testBeat, testPerformers, testPlanners } from '../support/agent/performers.ts'
import { scratchDirectory } from '../support/scratch.ts'

const serverId = uuidv7()
const [jwk, strangerJwk, boxKeys] = [newEd25519(), newEd25519(), newBoxKeys()]
const { kty, crv, x } = jwk
const keyOf = (own: typeof jwk) => ({ kid: thumbprint(own), key: privateKeyOf(own) })
const agents: Agent[] = []
afterEach(() => Promise.all(agents.splice(0).map((agent) => agent.stop())))

/** A panel of one agent: it hands out what is `due`, and keeps what it is told. */
function panelDouble({ heedsFree = false } = {}) {
  const [due, polls, results] = [[] as string[], [] as PollBody[], [] as (ResultBody & { id: string })[]]
  const handed: string[] = []
  const [said, cancel, drop] = [new Map<string, LogLine[]>(), [] as string[], [] as string[]]
  let refusal: { status: number; code: string } | undefined
  let takesResults = true
  let aheadMs = 0
  const json = (body: object) => new Response(JSON.stringify(body))

  async function poll(body: PollBody, signal: AbortSignal): Promise<Response> {
    polls.push(body)
    const takes = () => (heedsFree ? Math.min(body.free.quick!, due.length) : due.length)
    const isDue = () => takes() + cancel.length + drop.length > 0
    for (let waited = 0; waited < 200 && !isDue(); waited += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      signal.throwIfAborted()
    }
    const answer = {
      tasks: due.splice(0, takes()),
      cancel: cancel.splice(0),
      drop: drop.splice(0),
    }
    return json({ ...answer, now: new Date(Date.now() + aheadMs).toISOString(), nextMs: 10_000 })
  }

  const fetch = async (url: string, init?: RequestInit): Promise<Response> => {
    if (refusal) return new Response('{}', { status: refusal.status, headers: { 'error-code': refusal.code } })
    const [, , id = '', what] = new URL(url).pathname.split('/').slice(2)
    const body: unknown = JSON.parse(init!.body as string)
    if (what === undefined) return poll(PollBody.parse(body), init!.signal!)
    if (what === 'result' && !takesResults) return new Response('{}', { status: 503 })
    if (what === 'result') {
      results.push({ ...ResultBody.parse(body), id })
      return json({ state: 'SUCCEEDED', late: false })
    }
    const known = said.get(id) ?? []
    said.set(id, [...known, ...ProgressBody.parse(body).lines.filter(({ seq }) => seq > known.length)])
    return json({ next: said.get(id)!.length + 1, cancel: false, pause: false })
  }

  return {
    polls,
    results,
    said,
    cancel,
    drop,
    fetch,
    refuse: (status: number, code: string) => void (refusal = { status, code }),
    accept: () => void (refusal = undefined),
    /** What polls say of the time, which is not signed. */
    setAhead: (ms: number) => void (aheadMs = ms),
    /** What it has handed out last. */
    lastHanded: () => handed.at(-1)!,
    replay: (text: string) => void due.push(text),
    takeResults: (takes: boolean) => void (takesResults = takes),
    hand(kind: TaskKind<any> | string, payload: object, changes: Partial<TaskToSend> = {}, key = keyOf(jwk)): string {
      const taskId = changes.taskId ?? uuidv7()
      const name = typeof kind === 'string' ? kind : kind.name
      const expiresAt = new Date(Date.now() + 60_000)
      const rest = { issuedAt: new Date(), attempt: 1, version: 1, runMs: 60_000, secrets: null, transfer: null }
      const about = { serverId, taskId, kind: name, expiresAt, payload: payload as never }
      handed.push(signEnvelope({ ...about, ...rest, ...changes }, key))
      due.push(handed.at(-1)!)
      return taskId
    },
    resultOf: (id: string) => expect.poll(() => results.find((each) => each.id === id)),
  }
}

const folders = () => ({ directory: scratchDirectory(), effects: scratchDirectory() })

async function start(
  panel: ReturnType<typeof panelDouble>,
  { directory, effects }: { directory: string; effects: string },
  changes: Partial<AgentDependencies> = {},
  others: readonly Performer[] = [],
) {
  const logged: string[] = []
  const taken = new Set(others.map(({ kind }) => kind.name))
  const agent = await startAgent({
    panelUrl: 'http://panel.test',
    serverId,
    token: 'a token',
    boxKeys,
    taskKeys: [{ kty, crv, x }],
    directory,
    performers: [...testPerformers(effects).filter(({ kind }) => !taken.has(kind.name)), ...others],
    askers: testAskers,
    planners: testPlanners(effects),
    beat: testBeat,
    isReady: async () => true,
    log: (message) => void logged.push(message),
    fetch: panel.fetch,
    backOff: { firstMs: 5, longestMs: 20 },
    ...changes,
  })
  agents.push(agent)
  return { agent, logged }
}

test('a task is done and told; then the agent holds it no more, and its spool is removed', async () => {
  const [panel, where] = [panelDouble(), folders()]
  await start(panel, where)
  const id = panel.hand(lines, { count: 3, everyMs: 1 })
  await panel.resultOf(id).toMatchObject({ outcome: 'SUCCEEDED', result: { count: 3 }, attempt: 1, lastSeq: 3 })
  expect(panel.said.get(id)!.map(({ text }) => text)).toEqual(['line 1', 'line 2', 'line 3'])
  await expect.poll(() => panel.polls.at(-1)!.holding).toEqual([])
  await expect.poll(() => readdir(join(where.directory, 'spool'))).toEqual([])
  // A busy machine lengthens some, and an end that waits for more lines lengthens all.
  let toldMs = Infinity
  for (let tries = 0; toldMs >= 100 && tries < 50; tries += 1) {
    const begunMs = performance.now()
    const next = panel.hand(lines, { count: 3, everyMs: 1 })
    while (!panel.results.some((each) => each.id === next)) await new Promise((resolve) => setTimeout(resolve, 1))
    toldMs = performance.now() - begunMs
  }
  expect(toldMs, 'an end does not wait for the lines of a request').toBeLessThan(100)
})

test('what the panel has not signed for this server is not done, and not told', async () => {
  const [panel, where] = [panelDouble(), folders()]
  const { logged } = await start(panel, where)
  panel.hand(echo, { text: 'x' }, {}, keyOf(strangerJwk))
  panel.hand(echo, { text: 'x' }, { serverId: uuidv7() })
  const id = panel.hand(echo, { text: 'x' })
  await panel.resultOf(id).toBeDefined()
  expect(await readdir(where.effects)).toEqual([id])
  expect(panel.results).toHaveLength(1)
  expect(logged).toEqual(['a task is refused: REFUSED_SIGNATURE', 'a task is refused: REFUSED_SERVER'])
})

test('what the agent does not know fails at once, and all else goes on', async () => {
  const panel = panelDouble()
  await start(panel, folders())
  const unknown = panel.hand('test.shell', { argv: ['sh'] })
  const newer = panel.hand(echo, { text: 'x' }, { version: 2 })
  const field = panel.hand(echo, { text: 'x', more: 1 })
  const late = panel.hand(echo, { text: 'x' }, { expiresAt: new Date(Date.now() - 5_000) })
  const good = panel.hand(echo, { text: 'x' })
  for (const id of [unknown, newer, field])
    await panel.resultOf(id).toMatchObject({ outcome: 'FAILED', error: { code: 'AGENT_TOO_OLD' } })
  await panel.resultOf(late).toMatchObject({ outcome: 'FAILED', error: { code: 'REFUSED_EXPIRED' } })
  await panel.resultOf(good).toMatchObject({ outcome: 'SUCCEEDED' })
})

test('cancel ends what runs and what waits, and a task that is over is dropped', async () => {
  const panel = panelDouble()
  await start(panel, folders())
  const runs = Array.from({ length: 8 }, () => panel.hand(sleep, { ms: 50_000 }))
  await expect.poll(() => panel.polls.at(-1)!.free.quick).toBe(0)
  const waits = panel.hand(sleep, { ms: 50_000 })
  await expect.poll(() => panel.polls.at(-1)!.holding).toHaveLength(9)
  panel.cancel.push(waits, runs[0]!)
  for (const id of [waits, runs[0]!]) await panel.resultOf(id).toMatchObject({ outcome: 'CANCELLED' })
  panel.drop.push(runs[1]!)
  await expect.poll(() => panel.polls.at(-1)!.holding.map(({ id }) => id)).toEqual(runs.slice(2))
  await expect.poll(() => panel.polls.at(-1)!.free.quick).toBe(2)
})

test('a failure is told with its code, a longer attempt than its time as TIMEOUT, and the engine is waited for', async () => {
  const panel = panelDouble()
  const needing = { ...echo, name: 'test.engine', needs: ['engine' as const] }
  const failing = { ...echo, name: 'test.fail' }
  const wrong = { ...echo, name: 'test.wrong' }
  let isUp = false
  await start(panel, folders(), { isReady: async () => isUp }, [
    performer(needing, async ({ payload: { text } }) => ({ text })),
    performer(failing, async ({ payload: { text } }) => {
      throw text === 'bug' ? new Error('a bug') : new TaskFailure('NO_IMAGE', 'There is no image')
    }),
    performer(wrong, async () => ({ text: 5 }) as never),
  ])
  const failed = (code: string) => ({ outcome: 'FAILED', error: { code } })
  await panel.resultOf(panel.hand(failing, { text: 'x' })).toMatchObject(failed('NO_IMAGE'))
  await panel.resultOf(panel.hand(failing, { text: 'bug' })).toMatchObject(failed('INTERNAL'))
  await panel.resultOf(panel.hand(wrong, { text: 'x' })).toMatchObject(failed('BAD_RESULT'))
  await panel.resultOf(panel.hand(sleep, { ms: 5_000 }, { runMs: 30 })).toMatchObject(failed('TIMEOUT'))
  await panel.resultOf(panel.hand(needing, { text: 'x' }, { runMs: 30 })).toMatchObject(failed('TIMEOUT'))
  const waits = panel.hand(needing, { text: 'x' })
  await expect.poll(() => panel.polls.at(-1)!.holding).toHaveLength(1)
  isUp = true
  await panel.resultOf(waits).toMatchObject({ outcome: 'SUCCEEDED' })
})

test('an engine that stays away fails what needs it with a code that is tried again, and nothing else', async () => {
  const [panel, work] = [panelDouble(), [] as string[]]
  const needing = { ...echo, name: 'test.engine', needs: ['engine' as const] }
  await start(panel, folders(), { isReady: async () => false, readyMs: 30 }, [
    performer(needing, async ({ taskId, payload: { text } }) => {
      work.push(taskId)
      return { text }
    }),
  ])
  const [needs, other] = [panel.hand(needing, { text: 'x' }), panel.hand(echo, { text: 'x' })]
  await panel.resultOf(needs).toMatchObject({ outcome: 'FAILED', error: { code: 'ENGINE_DOWN' } })
  await panel.resultOf(other).toMatchObject({ outcome: 'SUCCEEDED' })
  expect(work).toEqual([])
})

test('secrets reach the performer and no file or line; a box for another attempt is refused', async () => {
  const [panel, where] = [panelDouble(), folders()]
  await start(panel, where)
  const id = uuidv7()
  const box = (attempt: number) =>
    sealBox(Buffer.from('{"password":"canary-42"}'), boxKeys.publicKey, { taskId: id, attempt })
  panel.hand(echo, { text: 'x' }, { taskId: id, secrets: box(1) })
  await panel.resultOf(id).toMatchObject({ outcome: 'SUCCEEDED' })
  expect(panel.said.get(id)!.map(({ text }) => text)).toEqual(['with {"password":"***"}'])
  const files = await readdir(where.directory, { recursive: true, withFileTypes: true })
  for (const file of files.filter((each) => each.isFile()))
    expect(await readFile(join(file.parentPath, file.name), 'utf8').catch(() => '')).not.toContain('canary')
  const other = panel.hand(echo, { text: 'x' }, { secrets: box(1) })
  await panel.resultOf(other).toMatchObject({ error: { code: 'REFUSED_SECRETS' } })
})

test('tasks of a lane run one by one in order', async () => {
  const panel = panelDouble()
  const order: string[] = []
  const step = { ...echo, name: 'test.step' }
  const work = performer(step, async ({ payload: { text } }) => {
    order.push(`${text} begins`)
    await new Promise((resolve) => setTimeout(resolve, 30 - 10 * Number(text)))
    order.push(`${text} ends`)
    return { text }
  })
  await start(panel, folders(), {}, [work])
  const ids = ['0', '1', '2'].map((text) => panel.hand(step, { text, lane: 'one' }))
  await panel.resultOf(ids[2]!).toBeDefined()
  expect(order).toEqual(['0', '1', '2'].flatMap((text) => [`${text} begins`, `${text} ends`]))
})

/** @returns what makes the disk take nothing that must be synced, and take it again */
async function fullDisk() {
  const file = await open(join(scratchDirectory(), 'file'), 'w')
  const proto = Object.getPrototypeOf(file) as typeof file
  await file.close()
  let refused = 0
  const sync = vi.spyOn(proto, 'datasync')
  return {
    refused: () => refused,
    fill: () =>
      void sync.mockImplementation(async () => {
        refused += 1
        throw Object.assign(new Error('No space left on device'), { code: 'ENOSPC' })
      }),
    free: () => sync.mockRestore(),
  }
}

test('ends that a full disk does not take are told when it does; their work is not done again', async () => {
  const [panel, where, disk] = [panelDouble(), folders(), await fullDisk()]
  const [step, order] = [{ ...echo, name: 'test.step' }, [] as string[]]
  const work = performer(step, async ({ payload: { text }, signal }) => {
    order.push(text)
    if (text === 'runs') await pause(60_000, undefined, { signal })
    if (text === 'first') disk.fill()
    return { text }
  })
  const { logged } = await start(panel, where, {}, [work])
  const runs = panel.hand(step, { text: 'runs', lane: 'other' })
  await expect.poll(() => order).toEqual(['runs'])
  const cancelled = panel.hand(step, { text: 'never', lane: 'other' })
  await expect.poll(() => panel.polls.at(-1)!.holding).toHaveLength(2)
  const first = panel.hand(step, { text: 'first', lane: 'one' })
  await expect.poll(() => disk.refused()).toBeGreaterThan(3)
  panel.cancel.push(cancelled)
  panel.drop.push(runs)
  const polls = panel.polls.length
  await expect.poll(() => panel.polls.length).toBeGreaterThan(polls + 1)
  expect([panel.results, panel.polls.at(-1)!.holding.map(({ ended }) => ended)]).toEqual([[], [false, false, false]])
  disk.free()
  await panel.resultOf(first).toMatchObject({ outcome: 'SUCCEEDED' })
  await panel.resultOf(cancelled).toMatchObject({ outcome: 'CANCELLED' })
  await panel.resultOf(panel.hand(step, { text: 'second', lane: 'one' })).toMatchObject({ outcome: 'SUCCEEDED' })
  await expect.poll(() => panel.polls.at(-1)!.holding.map(({ id }) => id)).not.toContain(runs)
  expect(order).toEqual(['runs', 'first', 'second'])
  expect(logged).toContain('a task cannot go on')
})

test('after a restart: an end is told again, report is interrupted, adopt goes on, and nothing is done twice', async () => {
  const [panel, where] = [panelDouble(), folders()]
  const stuck = performer(append, ({ signal }) => pause(60_000, {}, { signal }))
  await start(panel, where, {}, [stuck])
  const [done, reported] = [panel.hand(echo, { text: 'x' }), panel.hand(append, { text: 'x' })]
  const [adopted] = [panel.hand(lines, { count: 40, everyMs: 20 })]
  await panel.resultOf(done).toBeDefined()
  await expect.poll(() => panel.said.get(adopted)?.length ?? 0).toBeGreaterThan(2)
  // A kill: the first agent hears and says nothing more.
  panel.refuse(503, 'KILLED')
  const before = panel.said.get(adopted)!.length
  const second = panelDouble()
  for (const line of panel.said.get(adopted)!) second.said.set(adopted, [...(second.said.get(adopted) ?? []), line])
  const copy = { ...where, directory: await copyOf(where.directory) }
  await start(second, copy)
  await second.resultOf(reported).toMatchObject({ error: { code: 'INTERRUPTED' } })
  second.hand(echo, { text: 'x' }, { taskId: done })
  await second.resultOf(done).toMatchObject({ outcome: 'SUCCEEDED', result: { text: 'x' } })
  expect(await readFile(join(where.effects, done), 'utf8')).toBe('1\n')
  second.hand(lines, { count: 40, everyMs: 0 }, { taskId: adopted })
  await second.resultOf(adopted).toMatchObject({ outcome: 'SUCCEEDED', lastSeq: 40 })
  expect(second.said.get(adopted)!.map(({ text }) => text)).toEqual(
    Array.from({ length: 40 }, (_none, nth) => `line ${nth + 1}`),
  )
  expect(before).toBeLessThan(40)
})

test('a task of which the journal has only a damaged line is not done, and the agent says which line it is', async () => {
  const [panel, where, id] = [panelDouble(), folders(), uuidv7()]
  const journal = join(where.directory, 'journal')
  await mkdir(journal)
  await writeFile(join(journal, '2026-01-31.ndjson'), `{"is":"received","id":"${id}","attempt":1,"ki\n`)
  const { logged } = await start(panel, where)
  panel.hand(append, { text: 'x' }, { taskId: id })
  await panel.resultOf(id).toMatchObject({ outcome: 'FAILED', error: { code: 'INTERRUPTED' } })
  expect(await readdir(where.effects)).toEqual([])
  expect(logged[0]).toMatch(/^Line 1 of .* is damaged/)
})

async function copyOf(directory: string): Promise<string> {
  const copy = scratchDirectory()
  await cp(directory, copy, { recursive: true })
  return copy
}

test('another attempt follows a failed one, and an attempt that has ended is not done again', async () => {
  const panel = panelDouble()
  let times = 0
  const flaky = { ...echo, name: 'test.flaky' }
  const work = performer(flaky, async ({ attempt }) => {
    times += 1
    if (attempt === 1) throw new TaskFailure('TRY_AGAIN', 'Try again')
    return { text: 'x' }
  })
  await start(panel, folders(), {}, [work])
  const id = panel.hand(flaky, { text: 'x' })
  await panel.resultOf(id).toMatchObject({ outcome: 'FAILED' })
  panel.hand(flaky, { text: 'x' }, { taskId: id })
  await expect.poll(() => panel.results.length).toBe(2)
  panel.hand(flaky, { text: 'x' }, { taskId: id, attempt: 2 })
  await expect.poll(() => panel.results.length).toBe(3)
  panel.hand(flaky, { text: 'x' }, { taskId: id, attempt: 3 })
  await expect.poll(() => panel.results.length).toBe(4)
  expect(panel.results.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
    [1, 'FAILED'],
    [1, 'FAILED'],
    [2, 'SUCCEEDED'],
    [2, 'SUCCEEDED'],
  ])
  expect(times).toBe(2)
})

test('a panel that is away is asked again, one that refuses a task is not, and a replaced agent ends', async () => {
  const panel = panelDouble()
  const { agent, logged } = await start(panel, folders())
  panel.refuse(503, 'BUSY')
  await expect.poll(() => logged.filter((line) => line === 'the panel cannot be polled').length).toBeGreaterThan(3)
  panel.accept()
  const id = panel.hand(echo, { text: 'x' })
  await panel.resultOf(id).toBeDefined()
  panel.refuse(409, 'RUN_SUPERSEDED')
  expect(await agent.ended).toBe('SUPERSEDED')
})

test('a panel that was restored from a backup repeats no task that it had heard the end of', async () => {
  const [panel, where] = [panelDouble(), folders()]
  await start(panel, where)
  const id = panel.hand(append, { text: 'x' })
  await panel.resultOf(id).toMatchObject({ outcome: 'SUCCEEDED' })
  await expect.poll(() => panel.polls.at(-1)!.holding).toEqual([])
  for (const attempt of [1, 2]) {
    panel.results.splice(0)
    panel.hand(append, { text: 'x' }, { taskId: id, attempt })
    await panel.resultOf(id).toMatchObject({ outcome: 'SUCCEEDED', attempt: 1 })
  }
  expect(await readFile(join(where.effects, EFFECTS), 'utf8')).toBe(`${id}\n`)
})

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)

test.each([['at once'], ['after a restart']])(
  'no time that a poll says makes the agent do a task again: %s',
  async (when) => {
    const [first, where] = [panelDouble(), folders()]
    let panel = first
    const { agent } = await start(panel, where)
    const id = panel.hand(append, { text: 'x' })
    const genuine = panel.lastHanded()
    await panel.resultOf(id).toMatchObject({ outcome: 'SUCCEEDED' })
    panel.setAhead(70 * 365 * DAY_MS)
    const expiresAt = inDays(80 * 365)
    await panel.resultOf(panel.hand(echo, { text: 'x' }, { expiresAt })).toMatchObject({ outcome: 'SUCCEEDED' })
    if (when === 'after a restart') {
      await agent.stop()
      panel = panelDouble()
      await start(panel, where)
    }
    panel.setAhead(0)
    panel.results.splice(0)
    panel.replay(genuine)
    await panel.resultOf(id).toMatchObject({ outcome: 'SUCCEEDED' })
    expect(await readFile(join(where.effects, EFFECTS), 'utf8')).toBe(`${id}\n`)
  },
)

test('what was issued before the journal begins, or is over by the time that the panel has signed, is refused', async () => {
  const [panel, where] = [panelDouble(), folders()]
  await start(panel, where)
  await panel.resultOf(panel.hand(echo, { text: 'x' })).toMatchObject({ outcome: 'SUCCEEDED' })
  panel.setAhead(-60 * DAY_MS)
  const [old, late] = [{ issuedAt: inDays(-31) }, { issuedAt: inDays(-29), expiresAt: inDays(-28) }]
  for (const times of [old, late]) {
    const id = panel.hand(append, { text: 'x' }, times)
    await panel.resultOf(id).toMatchObject({ error: { code: 'REFUSED_EXPIRED' } })
  }
  expect(await readdir(where.effects)).not.toContain(EFFECTS)
})

test.each([
  ['a day behind', -1],
  ['a day ahead', 1],
  ['at 1970', -20_000],
])('an agent on a host whose clock is %s works, also when the panel was years ahead once', async (_where, days) => {
  const [panel, where] = [panelDouble(), folders()]
  const { agent } = await start(panel, where, { hostNow: () => inDays(days) })
  panel.setAhead(70 * 365 * DAY_MS)
  const ahead = { issuedAt: inDays(70 * 365), expiresAt: inDays(70 * 365 + 1) }
  const jumped = panel.hand(append, { text: 'x' }, ahead)
  const genuine = panel.lastHanded()
  await panel.resultOf(jumped).toMatchObject({ outcome: 'SUCCEEDED' })
  panel.setAhead(0)
  await panel.resultOf(panel.hand(echo, { text: 'x' })).toMatchObject({ outcome: 'SUCCEEDED' })
  await agent.stop()
  // What was issued so late is remembered for as long.
  const later = panelDouble()
  await start(later, where, { hostNow: () => inDays(days + 40) })
  later.setAhead(40 * DAY_MS)
  const after = { issuedAt: inDays(40), expiresAt: inDays(41) }
  for (let nth = 0; nth < 2; nth += 1)
    await later.resultOf(later.hand(echo, { text: 'x' }, after)).toMatchObject({ outcome: 'SUCCEEDED' })
  later.replay(genuine)
  await later.resultOf(jumped).toMatchObject({ outcome: 'SUCCEEDED' })
  expect(await readFile(join(where.effects, EFFECTS), 'utf8')).toBe(`${jumped}\n`)
})

test(
  'an agent whose ends are not taken starts no more than a poll can name, and goes on when they are',
  { timeout: 100_000 },
  async () => {
    const [panel, where] = [panelDouble({ heedsFree: true }), folders()]
    await start(panel, where, { backOff: { firstMs: 1_000, longestMs: 1_000 } })
    panel.takeResults(false)
    const ids = Array.from({ length: 300 }, () => panel.hand(echo, { text: 'x' }))
    await expect.poll(() => panel.polls.at(-1)!.free.quick, { timeout: 40_000 }).toBe(0)
    const started = (await readdir(where.effects)).length
    expect(started).toBeGreaterThan(240)
    expect(started).toBeLessThanOrEqual(256)
    panel.takeResults(true)
    await expect.poll(() => panel.results.length, { timeout: 40_000 }).toBe(ids.length)
  },
)

test('a plan is kept and acted on, an older one is refused, and a restart acts on it without the panel', async () => {
  const [panel, where] = [panelDouble(), folders()]
  await start(panel, where)
  const signs = async () => (await readFile(join(where.effects, SIGN), 'utf8').catch(() => '')).split('\n').slice(0, -1)
  const send = (revision: number, body: object, plan = sign.name, version = 1, more: object = {}) => {
    const taskId = uuidv7()
    const text = Buffer.from(JSON.stringify({ revision, body }))
    const secrets = sealBox(text, boxKeys.publicKey, { taskId, attempt: 1 })
    return panel.hand(planApply, { plan, version, revision, ...more }, { taskId, secrets })
  }
  await panel.resultOf(send(7, { text: 'seven' })).toMatchObject({ result: { revision: 7, applied: { length: 5 } } })
  await panel.resultOf(send(5, { text: 'five' })).toMatchObject({ error: { code: 'REFUSED_OLDER' } })
  await panel.resultOf(send(8, { text: 8 })).toMatchObject({ error: { code: 'AGENT_TOO_OLD' } })
  await panel.resultOf(send(8, { text: 'x' }, 'test.other')).toMatchObject({ error: { code: 'AGENT_TOO_OLD' } })
  await panel.resultOf(send(8, { text: 'x' }, sign.name, 2)).toMatchObject({ error: { code: 'AGENT_TOO_OLD' } })
  await panel.resultOf(send(7, { text: 'seven' })).toMatchObject({ outcome: 'SUCCEEDED' })
  expect(await signs()).toEqual(['seven', 'seven'])
  const [file] = await readdir(join(where.directory, 'plans'))
  expect((await stat(join(where.directory, 'plans', file!))).mode & 0o777).toBe(0o600)
  const replace = (replaces: number) => send(5, { text: 'restored' }, sign.name, 1, { replaces })
  await panel.resultOf(replace(6)).toMatchObject({ error: { code: 'REFUSED_OLDER' } })
  await panel.resultOf(replace(7)).toMatchObject({ result: { revision: 5 } })
  const replacing = panel.lastHanded()
  await panel.resultOf(send(7, { text: 'seven' })).toMatchObject({ outcome: 'SUCCEEDED' })
  const told = panel.results.length
  panel.replay(replacing)
  await expect.poll(() => panel.results.length).toBeGreaterThan(told)
  expect((await signs()).slice(2)).toEqual(['restored', 'seven'])
  const away = panelDouble()
  away.refuse(503, 'AWAY')
  await start(away, { ...where, directory: await copyOf(where.directory) })
  await expect.poll(signs).toEqual(['seven', 'seven', 'restored', 'seven', 'seven'])
  away.accept()
  await expect.poll(() => away.polls.find(({ beat }) => beat)?.beat?.plans).toEqual({ [sign.name]: 7 })
})
