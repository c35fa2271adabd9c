/**
 * A panel or an agent is killed at one point of a task's way: what each of them does is there once, or said to be
 * interrupted, and the history of the task shows no second attempt.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { publicTaskKeyOf, taskJwkIn } from '#panel/agent/keys/task-keys'
import { queueTask } from '#panel/agent/queue-task'
import type { TaskKind } from '../../../src/tasks/kind.ts'
import { append, echo, sleep } from '../../support/agent/kinds.ts'
import { EFFECTS } from '../../support/agent/performers.ts'
import type { Break } from '../../support/broken-sources.ts'
import { freePort } from '../../support/free-port.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { TaskPanelSettings } from '../../support/panel/task-panel-process.ts'
import { handServers, openTaskPanel, testServer } from '../../support/panel/task-panel.ts'
import { daybook } from '../../support/processes/process.ts'
import { scratchDirectory, scratchPath } from '../../support/scratch.ts'

const supportFile = (name: string) => new URL(`../../support/${name}`, import.meta.url).pathname
const AGENT = supportFile('agent/agent-process.ts')
const BROKEN = supportFile('broken-sources.ts')
const PANEL = supportFile('panel/task-panel-process.ts')
const ENDS_WITHIN_MS = 30_000

const servers = handServers()
const panel = await startPanel({ open: openTaskPanel(servers), compareReadModels: false })

/** A place in the sources, and what a process does there that has not been killed at it yet. */
interface Point {
  readonly of: 'panel' | 'agent'
  /** Below src. */
  readonly file: string
  readonly find: string
  /** @param die a statement that kills the process */
  replace(die: string): string
}

const before = (of: Point['of'], file: string, find: string): Point => ({
  of,
  file,
  find,
  replace: (die) => `${die} ${find}`,
})

const inRunner = (find: string): Point => before('agent', 'agent/task-runner.ts', find)
const inAttempt = (find: string): Point => before('agent', 'agent/run-attempt.ts', find)

/** Once: the process that follows finds the file. */
const dieOnce = (path: string): string => {
  const [files, marker] = [`process.getBuiltinModule('node:fs')`, JSON.stringify(path)]
  return `if (!${files}.existsSync(${marker})) { ${files}.writeFileSync(${marker}, ''); process.kill(process.pid, 'SIGKILL') }`
}

/** Starts it again whenever it has ended, as a service manager does. */
function supervise(start: () => ReturnType<typeof daybook>) {
  let running = start()
  let isOver = false
  const over = (async () => {
    while (!isOver) {
      await running.ended()
      if (!isOver) running = start()
    }
  })()
  return {
    async stop() {
      isOver = true
      running.child.kill('SIGKILL')
      await over
    },
  }
}

async function panelProcess(known: TaskPanelSettings['server'], env: NodeJS.ProcessEnv) {
  const { databaseUrl, eventStoreUrl, secretKey } = panel.settings
  const [port, host] = [await freePort(), '127.0.0.1']
  const settings: TaskPanelSettings = {
    databaseUrl,
    eventStoreUrl,
    secretKey: secretKey.toString('hex'),
    port,
    host,
    server: known,
  }
  const { stop } = supervise(() => daybook([JSON.stringify(settings)], env, '/', PANEL))
  return { url: `http://${host}:${port}`, stop }
}

const OPEN = 'SELECT count(*)::int AS open FROM read.tasks WHERE id = $1 AND ended_at IS NULL'
const END = 'SELECT state, error_code AS code FROM read.tasks WHERE id = $1'

async function historyAfter<Payload>(point: Point, kind: TaskKind<Payload>, payload: Payload) {
  const { token, boxKeys, ...known } = testServer(uuidv7())
  const { serverId } = known
  servers.known.set(serverId, known)
  const [directory, effects, marker] = [scratchDirectory(), scratchDirectory(), scratchPath()]
  const broken: Break = { file: point.file, find: point.find, replace: point.replace(dieOnce(marker)) }
  const env = { BREAKS: JSON.stringify([broken]), NODE_OPTIONS: `--import=${BROKEN}` }
  const taskKeys = [await panel.run(async (unit) => publicTaskKeyOf(await taskJwkIn(unit)))]
  const id = await panel.run(async (unit) => {
    const taskId = unit.newId()
    await queueTask(unit, kind, { taskId, serverId, projectId: null, cause: { type: 'test', id: '1' }, payload })
    return taskId
  })
  await panel.panel.projector.catchUp()

  const serving = point.of === 'panel' ? await panelProcess(known, env) : undefined
  const config = join(directory, 'agent.json')
  const panelUrl = serving?.url ?? panel.url
  await writeFile(config, JSON.stringify({ panelUrl, serverId, token, boxKeys, taskKeys, directory }))
  const agent = supervise(() => daybook([config, effects], point.of === 'agent' ? env : {}, '/', AGENT))
  try {
    const isOpen = async () => (await panel.superuser.query(OPEN, [id])).rows[0].open
    await expect.poll(isOpen, { timeout: ENDS_WITHIN_MS }).toBe(0)
    // The agent holds it until it has the answer to its end.
    const journal = async () =>
      (await readFile(join(directory, 'journal', (await readdir(join(directory, 'journal'))).at(-1)!), 'utf8'))
        .split('\n')
        .some((line) => line.includes('"told"'))
    await expect.poll(journal, { timeout: ENDS_WITHIN_MS }).toBe(true)
  } finally {
    await agent.stop()
    await serving?.stop()
  }
  expect(existsSync(marker), 'it was killed').toBe(true)
  const { rows } = await panel.superuser.query<{ state: string; code: string | null }>(END, [id])
  const lines = (await readFile(join(effects, EFFECTS), 'utf8').catch(() => '')).split('\n')
  const made = (await readdir(effects)).filter((name) => name === id)
  const types = (await panel.history()).filter(({ stream }) => stream === `task-${id}`).map(({ type }) => type)
  return { ...rows[0], done: lines.filter((line) => line === id).length + made.length, types }
}

const once = (end: string) => ['TaskQueued', 'TaskStarted', end]
const succeeded = (done: number) => ({ state: 'SUCCEEDED', code: null, done, types: once('TaskSucceeded') })
const interrupted = (done: number) => ({ state: 'FAILED', code: 'INTERRUPTED', done, types: once('TaskFailed') })

const HAND_OUT = 'panel/agent/hand-out.ts'
const AFTER_RESULT = "call.run(async (unit) => {\n        await unit.decide(tasks, id, 'End'"

const PANEL_POINTS: readonly (readonly [string, Point])[] = [
  ['before it has recorded the start', before('panel', HAND_OUT, 'const { started, signer } = await call.run(')],
  ['between the start and the answer', before('panel', HAND_OUT, 'const all: (Envelope | undefined)[] = []')],
  [
    'between the result and its answer',
    {
      of: 'panel',
      file: 'panel/agent/task-end.ts',
      find: AFTER_RESULT,
      replace: (die) =>
        AFTER_RESULT.replace(
          'call.run(',
          `(async (work) => { const done = await call.run(work); ${die} return done })(`,
        ),
    },
  ],
]

test.each(PANEL_POINTS)('a panel that dies %s', async (_where, point) => {
  expect(await historyAfter(point, append, { text: 'x' })).toEqual(succeeded(1))
})

const TAKES = inRunner('if (known?.attempt !== attempt) await journal.note(received)')
const STARTS = inRunner("await noteUntilTaken({ is: 'started'")
const PERFORMS = inAttempt('const result = await performer.perform(')
const HAS_DONE = inAttempt('return await resultOf(')
const HAS_ENDED = inRunner('taken.end = how\n')
const IS_TOLD = inRunner("await noteUntilTaken({ is: 'told'")

const appending = [append, { text: 'x' }] as const
const echoing = [echo, { text: 'x' }] as const
const sleeping = [sleep, { ms: 1 }] as const

const AGENT_POINTS: readonly (readonly [string, Point, readonly [TaskKind<any>, object], object])[] = [
  ['before the journal has the task', TAKES, appending, succeeded(1)],
  ['before it starts', STARTS, appending, succeeded(1)],
  ['in the middle of what is reported', PERFORMS, appending, interrupted(0)],
  ['in the middle of what is adopted', PERFORMS, echoing, succeeded(1)],
  ['in the middle of what is repeated', PERFORMS, sleeping, succeeded(0)],
  ['after the effect of what is reported', HAS_DONE, appending, interrupted(1)],
  ['after the effect of what is adopted', HAS_DONE, echoing, succeeded(1)],
  ['before it tells the end', HAS_ENDED, appending, succeeded(1)],
  ['before it notes that the panel has the end', IS_TOLD, appending, succeeded(1)],
]

test.each(AGENT_POINTS)('an agent that dies %s', async (_where, point, [kind, payload], expected) => {
  expect(await historyAfter(point, kind, payload)).toEqual(expected)
})
