/**
 * A real panel process and a real agent process, over a link that is cut, while both are killed: every effect is there
 * once or said to be interrupted, and every line once and in order. Three broken agents must be noticed.
 */
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { publicTaskKeyOf, taskJwkIn } from '#panel/agent/keys/task-keys'
import { queueTask } from '#panel/agent/queue-task'
import type { TaskKind } from '../../../src/tasks/kind.ts'
import { append, crash, echo, lines, sleep } from '../../support/agent/kinds.ts'
import { EFFECTS } from '../../support/agent/performers.ts'
import type { Break } from '../../support/broken-sources.ts'
import { cutLink } from '../../support/cut-link.ts'
import { freePort } from '../../support/free-port.ts'
import { namespaceLink, noNamespaces } from '../../support/namespace-link.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { TaskPanelSettings } from '../../support/panel/task-panel-process.ts'
import { handServers, openTaskPanel, testServer } from '../../support/panel/task-panel.ts'
import { daybook } from '../../support/processes/process.ts'
import type { RunningProcess } from '../../support/processes/process.ts'
import { scratchDirectory } from '../../support/scratch.ts'

const supportFile = (name: string) => new URL(`../../support/${name}`, import.meta.url).pathname
const AGENT = supportFile('agent/agent-process.ts')
const BROKEN = supportFile('broken-sources.ts')
const PANEL = supportFile('panel/task-panel-process.ts')
const LINES = 40
const CRASHES = 2

/** Another process of the same panel, which asks and looks. */
const panel = await startPanel({ open: openTaskPanel(handServers()), compareReadModels: false })

interface Drill {
  readonly tasks: number
  /** Tasks of one kind alone. Default: a mixture. */
  readonly kind?: Choice
  readonly cuts: number
  readonly agentKills: number
  readonly panelKills: number
  /** After all kills. */
  readonly endsWithinMs: number
  readonly breaks?: readonly Break[]
  /** Whether the agent is on a host of its own, behind what drops all that comes in. */
  readonly isIsolated?: boolean
}

type Choice = readonly [kind: TaskKind<any>, payload: () => object]

const APPEND: Choice = [append, () => ({ text: 'x' })]
const ECHO: Choice = [echo, () => ({ text: 'x'.repeat(Math.random() * 2_000) })]
const SAY_LINES: Choice = [lines, () => ({ count: LINES, everyMs: 5 })]
const SLEEP: Choice = [sleep, () => ({ ms: 30 })]
const MIXTURE = [APPEND, APPEND, APPEND, APPEND, ECHO, ECHO, ECHO, SAY_LINES, SAY_LINES, SLEEP]

interface Asked {
  readonly id: string
  readonly kind: TaskKind<any>
}

/** @returns what is wrong at the end */
async function drill(asked: Drill): Promise<string[]> {
  const { tasks, kind: only, cuts, agentKills, panelKills, endsWithinMs, breaks = [], isIsolated = false } = asked
  const server = testServer(uuidv7())
  const directory = scratchDirectory()
  const [panelPort, effects] = [await freePort(), scratchDirectory()]
  const link = isIsolated ? namespaceLink(panelPort) : await cutLink(panelPort)
  const { token: _token, boxKeys, ...known } = server
  const settings: TaskPanelSettings = {
    databaseUrl: panel.settings.databaseUrl,
    eventStoreUrl: panel.settings.eventStoreUrl,
    secretKey: panel.settings.secretKey.toString('hex'),
    port: panelPort,
    host: link.host,
    server: known,
  }
  const config = join(directory, 'agent.json')
  const taskKeys = [await panel.run(async (unit) => publicTaskKeyOf(await taskJwkIn(unit)))]
  const { serverId, token } = server
  const panelUrl = link.url
  await writeFile(config, JSON.stringify({ panelUrl, serverId, token, boxKeys, taskKeys, directory }))

  const startPanelProcess = async () => {
    const started = daybook([JSON.stringify(settings)], {}, '/', PANEL)
    await started.until('listening')
    return started
  }
  const broken = breaks.length === 0 ? {} : { BREAKS: JSON.stringify(breaks), NODE_OPTIONS: `--import=${BROKEN}` }
  const startAgentProcess = () => daybook([config, effects], broken, '/', AGENT, link.within)
  let serving: RunningProcess = await startPanelProcess()
  let agent: RunningProcess = startAgentProcess()
  let isOver = false

  /** As systemd does. */
  const supervising = (async () => {
    while (!isOver) {
      await agent.ended()
      if (!isOver) agent = startAgentProcess()
    }
  })()

  const queued = await queueAll(serverId, tasks, only ? [only] : MIXTURE)
  const kinds = [
    ...Array.from({ length: cuts }, () => 'cut' as const),
    ...Array.from({ length: agentKills }, () => 'agent' as const),
    ...Array.from({ length: panelKills }, () => 'panel' as const),
  ].toSorted(() => Math.random() - 0.5)
  for (const kind of kinds) {
    await pause(50 + Math.random() * 150)
    if (kind === 'cut') {
      link.cut()
      await pause(Math.random() * 200)
      link.mend()
    } else if (kind === 'agent') {
      await agent.until('has started').catch(() => {})
      await pause(Math.random() * 250)
      agent.child.kill('SIGKILL')
    } else {
      await serving.stop('SIGKILL')
      serving = await startPanelProcess()
    }
  }

  const wrong = await wrongAtEnd(queued, effects, endsWithinMs)
  isOver = true
  agent.child.kill('SIGKILL')
  await supervising
  await serving.stop('SIGKILL')
  await link.close()
  return wrong
}

/** One of each choice in turn, and some that crash the agent. */
async function queueAll(serverId: string, tasks: number, choices: readonly Choice[]): Promise<Asked[]> {
  const asked: Asked[] = []
  for (let nth = 0; nth < tasks; nth += 1) {
    const [kind, payload] =
      nth % 60 === 20 ? ([crash, () => ({ times: CRASHES })] as const) : choices[nth % choices.length]!
    const id = await panel.run(async (unit) => {
      const taskId = unit.newId()
      const about = { taskId, serverId, projectId: null, cause: { type: 'test', id: '1' } }
      await queueTask(unit, kind as TaskKind<any>, { ...about, payload: payload() })
      return taskId
    })
    asked.push({ id, kind: kind as TaskKind<any> })
  }
  return asked
}

const OPEN = `SELECT count(*)::int AS open FROM read.tasks WHERE id = ANY($1) AND ended_at IS NULL`
const ENDS = 'SELECT id, state, error_code AS code FROM read.tasks WHERE id = ANY($1)'
const SAID = 'SELECT seq, line FROM telemetry.task_line WHERE task_id = $1 ORDER BY seq'

async function wrongAtEnd(asked: readonly Asked[], effects: string, withinMs: number): Promise<string[]> {
  const ids = [asked.map(({ id }) => id)]
  const untilMs = performance.now() + withinMs
  const open = async () => (await panel.superuser.query(OPEN, ids)).rows[0].open
  while ((await open()) > 0 && performance.now() < untilMs) await pause(50)
  const { rows } = await panel.superuser.query(ENDS, ids)
  const ends = new Map<string, { state: string; code: string | null }>(rows.map((row) => [row.id, row]))
  const done = (await readFile(join(effects, EFFECTS), 'utf8').catch(() => '')).split('\n')
  const made = await readdir(effects)
  const wrong: string[] = []
  for (const { id, kind } of asked) {
    const { state = 'unknown', code = null } = ends.get(id) ?? {}
    const isInterrupted = kind.name === append.name && code === 'INTERRUPTED'
    if (state !== 'SUCCEEDED' && !isInterrupted) wrong.push(`${kind.name} is ${state} ${code}`)
    const times = done.filter((each) => each === id).length
    if (kind.name === append.name && (times > 1 || (times === 0 && state === 'SUCCEEDED')))
      wrong.push(`append was done ${times} times and is ${state}`)
    if (kind.name === echo.name && !made.includes(id)) wrong.push('echo was not done')
    // Another kill may start it once more.
    const starts = async () => Number(await readFile(join(effects, `${id}.starts`), 'utf8').catch(() => '0'))
    if (kind.name === crash.name && (await starts()) <= CRASHES) wrong.push('crash ended before its last start')
    if (kind.name === lines.name) wrong.push(...(await wrongLines(id)))
  }
  return wrong
}

async function wrongLines(id: string): Promise<string[]> {
  const { rows } = await panel.superuser.query<{ seq: number; line: string }>(SAID, [id])
  const isRight = rows.length === LINES && rows.every(({ seq, line }, nth) => seq === nth + 1 && line === `line ${seq}`)
  return isRight ? [] : [`lines ${rows.map(({ seq, line }) => `${seq}=${line}`).join(', ')}`]
}

const DRILL_MS = 240_000

test(
  '200 tasks over cuts and kills: every effect once, every line once and in order',
  { timeout: DRILL_MS },
  async () => {
    const isIsolated = noNamespaces === undefined
    const wrong = await drill({
      tasks: 200,
      cuts: 20,
      agentKills: 10,
      panelKills: 10,
      endsWithinMs: 120_000,
      isIsolated,
    })
    expect(wrong).toEqual([])
  },
)

const TEETH: readonly (readonly [what: string, kind: Choice, breaks: readonly Break[], notice: RegExp])[] = [
  [
    'no journal',
    APPEND,
    [
      {
        file: 'agent/journal.ts',
        find: 'entriesOf(directory, { onDamaged })) trace(traces, entry, day)',
        replace: 'entriesOf(directory, { onDamaged })) void [entry, day]',
      },
    ],
    /append was done [2-9] times/,
  ],
  [
    'a result that is sent once',
    ECHO,
    [
      {
        file: 'agent/reporter.ts',
        find: 'await untilTaken(() => panel.result(id, body, over), parts, held, over)',
        replace: 'await panel.result(id, body, over).catch(() => {})',
      },
      { file: 'agent/task-runner.ts', find: 'await hold(known)\n        return\n', replace: 'return\n' },
    ],
    /is RUNNING/,
  ],
  [
    'numbers of lines from memory',
    SAY_LINES,
    [{ file: 'agent/spool.ts', find: 'let lastSeq = Math.max(earlierSeq, places.last)', replace: 'let lastSeq = 0' }],
    /lines|test\.lines is/,
  ],
]

/** Kills come at random times: on a busy machine none may meet the fault. */
const TRIES = 5

test.each(TEETH)('an agent with %s is noticed', { timeout: DRILL_MS }, async (_what, kind, breaks, notice) => {
  const wrong: string[] = []
  for (let nth = 0; nth < TRIES && !notice.test(wrong.join('\n')); nth += 1)
    wrong.push(
      ...(await drill({ tasks: 60, kind, cuts: 5, agentKills: 3, panelKills: 0, endsWithinMs: 4_000, breaks })),
    )
  expect(wrong.join('\n')).toMatch(notice)
})
