/** Tells the panel what has changed on the host, and takes the token that follows. */
import { setTimeout as pause } from 'node:timers/promises'
import { ANSWER_BYTES_MAX, HeartbeatAnswer, RUN_HEADER, SERVER_HEADER } from '../tasks/protocol.ts'
import type { AgentFacts, Beat } from '../tasks/protocol.ts'
import { openBox, tokenSubject } from '../tasks/sealed-box.ts'
import { responseText } from './answer-text.ts'
import type { AgentConfig } from './config.ts'

const CALL_MS = 15_000
const LOOK_MS = 10_000
const FACTS_AT_LEAST_EACH_MS = 86_400_000

interface Told {
  /** The token that follows, if there is one. */
  readonly nextToken: string | undefined
  /** The panel has not noted the facts. */
  readonly factsAgain: boolean
}

/** @throws Error without an answer, or for a refusal */
export async function sendHeartbeat(
  { panelUrl, serverId, token, boxKeys }: AgentConfig,
  run: string,
  beat: Beat,
  signal: AbortSignal,
): Promise<Told> {
  const response = await fetch(`${panelUrl}/api/agent/heartbeat`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      [SERVER_HEADER]: serverId,
      [RUN_HEADER]: run,
    },
    body: JSON.stringify(beat),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`The panel answered ${response.status} ${response.headers.get('error-code') ?? ''}`)
  }
  const { token: sealed, factsAgain = false } = HeartbeatAnswer.parse(
    JSON.parse(await responseText(response, ANSWER_BYTES_MAX)),
  )
  return { nextToken: sealed && openBox(sealed, boxKeys, tokenSubject(serverId))?.toString(), factsAgain }
}

interface Telling {
  readonly config: AgentConfig
  readonly run: string
  readonly facts: () => Promise<AgentFacts>
  readonly beat: () => Promise<Omit<Beat, 'plans'>>
  readonly plans: () => Beat['plans']
  /** How often the host is looked at. */
  readonly lookMs?: number
  log(message: string, error?: unknown): void
}

/** At the start, when they have changed, and each day, since the answer may hold the next token. @returns that token */
export async function tellFacts(
  { config, run, facts, beat, plans, lookMs = LOOK_MS, log }: Telling,
  signal: AbortSignal,
): Promise<string | undefined> {
  let [told, toldMs] = ['', -Infinity]
  while (!signal.aborted) {
    try {
      const now = await facts()
      const text = JSON.stringify(now)
      if (text !== told || performance.now() - toldMs > FACTS_AT_LEAST_EACH_MS) {
        const body = { ...(await beat()), plans: plans(), facts: now }
        const { nextToken, factsAgain } = await sendHeartbeat(config, run, body, signal)
        if (nextToken !== undefined) return nextToken
        told = factsAgain ? '' : text
        toldMs = performance.now()
      }
    } catch (error) {
      if (!signal.aborted) log('the panel cannot be told of this host', error)
    }
    await pause(lookMs, undefined, { signal }).catch(() => {})
  }
  return undefined
}
