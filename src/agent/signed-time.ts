/**
 * The latest time that the panel has signed, on the agent's disk. What a poll says of the time is not signed, so that
 * alone must not decide what the agent forgets. The clock of the host bounds it: a panel whose clock was ahead once
 * makes the agent forget nothing, and refuse nothing later.
 */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { writeSecretFile } from './secret-file.ts'

/** It is written at most once in this time of the panel. */
const STEP_MS = 3_600_000

const Stored = z.object({ signedAt: z.iso.datetime() })

export interface SignedTime {
  /** 1970 until the panel was heard. It never goes back. */
  now(): Date
  /** An envelope that the panel has signed was issued then. */
  heard(issuedAt: Date): Promise<void>
}

interface SignedTimeDependencies {
  readonly path: string
  hostNow(): Date
  /** The disk takes no more: the time stays as it is. */
  onError(error: unknown): void
}

export async function openSignedTime({ path, hostNow, onError }: SignedTimeDependencies): Promise<SignedTime> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') onError(error)
    return '{}'
  })
  let signedMs = storedIn(text)
  let turn: Promise<void> = Promise.resolve()

  async function advance(issuedAt: Date): Promise<void> {
    const ms = Math.min(issuedAt.getTime(), hostNow().getTime())
    if (ms < signedMs + STEP_MS) return
    await writeSecretFile(path, JSON.stringify({ signedAt: new Date(ms).toISOString() }))
    signedMs = ms
  }

  return {
    now: () => new Date(signedMs),
    heard: (issuedAt) => (turn = turn.then(() => advance(issuedAt)).catch(onError)),
  }
}

/** A file that cannot be read is as none: the next envelope of the panel makes a new one. */
function storedIn(text: string): number {
  try {
    return Date.parse(Stored.parse(JSON.parse(text)).signedAt)
  } catch {
    return 0
  }
}
