/** Tells the panel what has changed on the host, and takes the token that follows. */
import { ANSWER_BYTES_MAX, HeartbeatAnswer, RUN_HEADER, SERVER_HEADER } from '../tasks/protocol.ts'
import type { Beat } from '../tasks/protocol.ts'
import { openBox, tokenSubject } from '../tasks/sealed-box.ts'
import { responseText } from './answer-text.ts'
import type { AgentConfig } from './config.ts'

const CALL_MS = 15_000

/** @returns the token that follows, if there is one @throws Error without an answer, or for a refusal */
export async function sendHeartbeat(
  { panelUrl, serverId, token, boxKeys }: AgentConfig,
  run: string,
  beat: Beat,
  signal: AbortSignal,
): Promise<string | undefined> {
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
  const answer = HeartbeatAnswer.parse(JSON.parse(await responseText(response, ANSWER_BYTES_MAX)))
  return answer.token === undefined ? undefined : openBox(answer.token, boxKeys, tokenSubject(serverId))?.toString()
}
