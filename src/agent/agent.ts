/** The agent of a server: polls its panel for tasks, runs them, and tells what comes of them. */
import { randomUUID } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import type { Ed25519Jwk } from '#kernel/credentials/jws'
import { publicKeyOf, thumbprint } from '#kernel/credentials/jws'
import { openAsk, openEnvelope, openFollow } from '../tasks/envelope.ts'
import type { EnvelopeReader, RefusedEnvelope } from '../tasks/envelope.ts'
import type { Need } from '../tasks/kind.ts'
import { kindsByName } from '../tasks/kind.ts'
import type { Beat, PollAnswer, ResultBody } from '../tasks/protocol.ts'
import type { BoxKeys } from '../tasks/sealed-box.ts'
import { answerAsk } from './ask-runner.ts'
import { backOff } from './back-off.ts'
import type { BackOffLimits } from './back-off.ts'
import { runFollow } from './follow-runner.ts'
import { failed, KEPT_MS, openJournal } from './journal.ts'
import { panelClient, PanelRefusal } from './panel-client.ts'
import type { Asker, Follower, Performer } from './performer.ts'
import { openPlans } from './plans.ts'
import type { Planner } from './plans.ts'
import { report } from './reporter.ts'
import { openSignedTime } from './signed-time.ts'
import { openSpools } from './spool.ts'
import { REFUSALS, taskRunner } from './task-runner.ts'

/** Proxies close a connection after a minute of silence. */
const WAIT_MS = 50_000
/** A proxy that cuts long polls is asked for shorter ones. */
const WAIT_MS_MIN = 1_000
/** Until the panel says otherwise. */
const BEAT_MS = 10_000
/** So far the clocks of a host and of a panel may be wrong. */
const WRONG_MS = 86_400_000
const SUPERSEDED = 'RUN_SUPERSEDED'

export interface AgentDependencies {
  /** Without a trailing slash. */
  readonly panelUrl: string
  readonly serverId: string
  readonly token: string
  /** A UUID for each start of the process. Default: a new one. */
  readonly run?: string
  readonly boxKeys: BoxKeys
  /** The keys that the panel signs with, as pinned at the installation. */
  readonly taskKeys: readonly Ed25519Jwk[]
  /** Holds the journal and the spool. */
  readonly directory: string
  /** Default: the clock of the host. */
  readonly hostNow?: (() => Date) | undefined
  readonly performers: readonly Performer[]
  readonly askers: readonly Asker[]
  readonly followers?: readonly Follower[]
  readonly planners: readonly Planner[]
  /** How the host is; the plans are added. */
  beat(): Promise<Omit<Beat, 'plans'>>
  isReady(need: Need): Promise<boolean>
  /** How long a task waits for what it needs. Default: a minute. */
  readonly readyMs?: number | undefined
  /** Called once, before the first answer of the panel is taken. */
  onReached?: (() => Promise<void>) | undefined
  /** Has no secrets. */
  log(message: string, error?: unknown): void
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  readonly backOff?: BackOffLimits
}

export interface Agent {
  /** Resolves when the agent has ended; SUPERSEDED: another process is the agent of this server. */
  readonly ended: Promise<'STOPPED' | 'SUPERSEDED'>
  /** The plans that it acts on, by kind. */
  revisions(): Beat['plans']
  /** What runs is resumed by the next process. */
  stop(): Promise<void>
}

export async function startAgent(parts: AgentDependencies): Promise<Agent> {
  const { serverId, directory, log } = parts
  const plans = await openPlans({
    directory: join(directory, 'plans'),
    planners: parts.planners,
    onError: (error, plan) => log(`the plan ${plan} cannot be acted on`, error),
  })
  const performers = [...parts.performers, plans.performer]
  const stopping = new AbortController()
  const clock = panelClock()
  const panel = panelClient({ ...parts, run: parts.run ?? randomUUID() })
  const reader = {
    serverId,
    keys: new Map<string, KeyObject>(parts.taskKeys.map((jwk) => [thumbprint(jwk), publicKeyOf(jwk)])),
    kinds: kindsByName(performers.map(({ kind }) => kind)),
  }
  const askers = new Map(parts.askers.map((each) => [each.kind.name, each]))
  const askKinds = kindsByName(parts.askers.map(({ kind }) => kind))
  const ownFollowers = parts.followers ?? []
  const followers = new Map(ownFollowers.map((each) => [each.kind.name, each]))
  const followKinds = kindsByName(ownFollowers.map(({ kind }) => kind))
  const signed = await openSignedTime({
    path: join(directory, 'signed-time.json'),
    hostNow: parts.hostNow ?? (() => new Date()),
    onError: (error) => log('the time of the panel cannot be kept', error),
  })
  const journal = await openJournal(join(directory, 'journal'), signed.now, log)
  const spools = await openSpools(join(directory, 'spool'), clock.now)
  const reports = new Set<Promise<void>>()
  let poll = new AbortController()
  let isReached = false

  const runner = taskRunner({
    journal,
    spools,
    boxKeys: parts.boxKeys,
    transfers: { panel, limits: parts.backOff },
    commits: { panel, limits: parts.backOff },
    isReady: parts.isReady,
    readyMs: parts.readyMs,
    backOff: parts.backOff,
    panelNow: clock.now,
    performers: new Map(performers.map((each) => [each.kind.name, each])),
    onHeld(held) {
      const onRefused = (error: unknown, id: string) => log(`the panel refuses to hear of task ${id}`, error)
      const telling = report(held, { panel, runner, limits: parts.backOff, onRefused }, stopping.signal)
      awaitAtStop(
        telling.catch((error: unknown) => {
          if (!held.released.aborted) log(`task ${held.id} cannot be told`, error)
        }),
      )
    },
    // The poll that waits has told of a full pool.
    onFree: () => poll.abort(),
    onError: (error) => log('a task cannot go on', error),
  })

  await runner.recover()
  const resuming = plans.resume(stopping.signal)
  const ended = pollUntil()
  return {
    ended,
    revisions: plans.revisions,
    async stop() {
      stopping.abort()
      await ended
    },
  }

  async function pollUntil(): Promise<'STOPPED' | 'SUPERSEDED'> {
    const pause = backOff(parts.backOff)
    let waitMs = WAIT_MS
    const beats = beatClock()
    let how: 'STOPPED' | 'SUPERSEDED' = 'STOPPED'
    while (!stopping.signal.aborted) {
      poll = new AbortController()
      const signal = AbortSignal.any([poll.signal, stopping.signal])
      const askedMs = performance.now()
      try {
        const isDue = beats.leftMs() <= 0
        const beat = isDue ? { ...(await parts.beat()), plans: plans.revisions() } : undefined
        const untilBeatMs = isDue ? beats.everyMs() : beats.leftMs()
        const body = {
          waitMs: Math.floor(Math.min(waitMs, untilBeatMs)),
          free: runner.free(),
          holding: runner.holding(),
          ...(beat && { beat }),
        }
        if (isDue) beats.sent()
        const answer = await panel.poll(body, signal)
        if (answer) beats.set(answer.nextMs)
        pause.reset()
        if (!isReached) await parts.onReached?.()
        isReached = true
        waitMs = Math.min(WAIT_MS, waitMs * 2)
        if (answer) await take(answer)
      } catch (error) {
        if (signal.aborted) continue
        beats.unsent()
        if (error instanceof PanelRefusal && error.code === SUPERSEDED) {
          how = 'SUPERSEDED'
          break
        }
        const wasCut = !(error instanceof PanelRefusal) && performance.now() - askedMs > WAIT_MS_MIN
        if (wasCut) waitMs = Math.max(WAIT_MS_MIN, Math.floor(waitMs / 2))
        log('the panel cannot be polled', error)
        await pause.wait(stopping.signal)
      }
    }
    stopping.abort()
    await runner.stop()
    await Promise.all(reports)
    await resuming
    await runner.close()
    await journal.close()
    return how
  }

  /** What the panel has signed may be done once, whatever a poll says of the time. */
  function times(): Pick<EnvelopeReader, 'now' | 'since'> {
    const signedMs = signed.now().getTime()
    const now = new Date(Math.max(clock.now().getTime(), signedMs - WRONG_MS))
    return { now, since: new Date(Math.max(0, signedMs - KEPT_MS)) }
  }

  async function take({ tasks, asks, follows, cancel, drop, now }: PollAnswer): Promise<void> {
    clock.set(now)
    for (const text of asks) void answer(text).catch((error: unknown) => log('an answer cannot be told', error))
    for (const text of follows) void follow(text).catch((error: unknown) => log('nothing can be followed', error))
    for (const text of tasks) await receive(text, { ...reader, ...times() }, cancel)
    for (const id of cancel) runner.cancel(id)
    for (const id of drop)
      awaitAtStop(runner.forget(id).catch((error: unknown) => log(`task ${id} cannot be dropped`, error)))
  }

  function awaitAtStop(telling: Promise<void>): void {
    reports.add(telling)
    void telling.finally(() => reports.delete(telling))
  }

  async function answer(text: string): Promise<void> {
    const opened = openAsk(text, { ...reader, kinds: askKinds, ...times() })
    const tell = (id: string, body: ResultBody) => panel.result(id, body, stopping.signal)
    if (!('ask' in opened)) return refuseRead(opened)
    await signed.heard(opened.ask.issuedAt)
    await answerAsk(opened.ask, { askers, boxKeys: parts.boxKeys, tell }, stopping.signal)
  }

  async function follow(text: string): Promise<void> {
    const opened = openFollow(text, { ...reader, kinds: followKinds, ...times() })
    if (!('follow' in opened)) return refuseRead(opened)
    await signed.heard(opened.follow.issuedAt)
    const { boxKeys } = parts
    return runFollow(opened.follow, { followers, boxKeys, panel, now: clock.now }, stopping.signal)
  }

  async function refuseRead({ about, refusal }: RefusedEnvelope): Promise<void> {
    log(`a read is refused: ${refusal}`)
    const end = { ...failed(refusal, REFUSALS[refusal]), attempt: 1, lastSeq: 0 }
    if (about) await panel.result(about.taskId, end, stopping.signal)
  }

  async function receive(text: string, by: EnvelopeReader, cancel: readonly string[]): Promise<void> {
    const opened = openEnvelope(text, by)
    if ('task' in opened) {
      await signed.heard(opened.task.issuedAt)
      return runner.receive(opened.task, cancel.includes(opened.task.taskId))
    }
    log(`a task is refused: ${opened.refusal}`)
    if (opened.about) await runner.refuse(opened.about, opened.refusal)
  }
}

/** When a beat is due. It rides in a poll, so no poll waits longer. */
function beatClock() {
  let [everyMs, sentMs] = [BEAT_MS, -Infinity]
  return {
    everyMs: () => everyMs,
    leftMs: () => Math.max(0, sentMs + everyMs - performance.now()),
    sent: () => void (sentMs = performance.now()),
    unsent: () => void (sentMs = -Infinity),
    set: (nextMs: number) => void (everyMs = Math.min(Math.max(nextMs, 1_000), WAIT_MS)),
  }
}

/** The panel's time, as far as the agent knows it: the clock of a host may be wrong by days. */
function panelClock() {
  let aheadMs = Date.now() - performance.now()
  return {
    now: () => new Date(performance.now() + aheadMs),
    set: (now: string) => void (aheadMs = Date.parse(now) - performance.now()),
  }
}
