/** Makes this host the server that an install token stands for. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ANSWER_BYTES_MAX, RegisterAnswer } from '../tasks/protocol.ts'
import type { AgentFacts } from '../tasks/protocol.ts'
import { AgentPublicKey, newBoxKeys, openBox, tokenSubject } from '../tasks/sealed-box.ts'
import type { BoxKeys } from '../tasks/sealed-box.ts'
import { responseText } from './answer-text.ts'
import type { AgentConfig } from './config.ts'
import { writeSecretFile } from './secret-file.ts'

const CALL_MS = 30_000
const KEYS = 'box-keys.json'
const StoredKeys = z.strictObject({ publicKey: AgentPublicKey, privateKey: AgentPublicKey })

export interface Registration {
  /** Without a trailing slash. */
  readonly panelUrl: string
  readonly installToken: string
  readonly facts: AgentFacts
  /** Exists. Holds the keys, the journal and the spool. */
  readonly directory: string
}

/** The answer may be lost, so the keys are kept first: the same call again gets the same answer. @throws Error for its operator */
export async function register({ panelUrl, installToken, facts, directory }: Registration): Promise<AgentConfig> {
  const boxKeys = await keysIn(join(directory, KEYS))
  const response = await fetch(`${panelUrl}/api/agent/register`, {
    method: 'POST',
    headers: { authorization: `Bearer ${installToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...facts, publicKey: boxKeys.publicKey }),
    redirect: 'error',
    signal: AbortSignal.timeout(CALL_MS),
  }).catch((error: unknown) => {
    throw new Error(`The panel at ${panelUrl} cannot be reached`, { cause: error })
  })
  const text = await responseText(response, ANSWER_BYTES_MAX)
  const answer = jsonIn(text)
  if (!response.ok) throw new Error(`The panel refuses this host: ${messageIn(answer) ?? `status ${response.status}`}`)
  const { serverId, token, taskKeys } = RegisterAnswer.parse(answer)
  const opened = openBox(token, boxKeys, tokenSubject(serverId))
  if (!opened) throw new Error('The panel has sealed the token to another key')
  return { panelUrl, serverId, token: opened.toString(), boxKeys, taskKeys, directory }
}

async function keysIn(path: string): Promise<BoxKeys> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (text !== undefined) return StoredKeys.parse(JSON.parse(text))
  const keys = newBoxKeys()
  await writeSecretFile(path, JSON.stringify(keys))
  return keys
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const Refused = z.object({ message: z.string() })
const messageIn = (answer: unknown): string | undefined => Refused.safeParse(answer).data?.message
