/** Runs a program in a container. Source: Docker Engine API 1.41, "Exec". */
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { AskEngine } from '../engine/ask-engine.ts'

const LOOK_MS = 50
/** The container does not run, or does not have the program. */
const REFUSED = [400, 404, 409, 500]
/** Of a program that cannot be started, as shells tell it. */
const NOT_STARTED = 127

const Made = z.object({ Id: z.string() })
const Seen = z.object({ Running: z.boolean(), ExitCode: z.int().nullish(), Pid: z.int().nullish() })

/** @returns its exit code; undefined: it did not end in its time, and was killed */
export async function runInside(
  ask: AskEngine,
  containerId: string,
  argv: readonly string[],
  timeoutMs: number,
): Promise<number | undefined> {
  const made = await ask('POST', `/containers/${containerId}/exec`, REFUSED, { Cmd: argv })
  if (made.status >= 300) return NOT_STARTED
  const { Id: id } = Made.parse(made.body)
  const started = await ask('POST', `/exec/${id}/start`, REFUSED, { Detach: true })
  if (started.status >= 300) return NOT_STARTED
  const untilMs = performance.now() + timeoutMs
  for (;;) {
    const { Running, ExitCode, Pid } = Seen.parse((await ask('GET', `/exec/${id}/json`)).body)
    if (!Running) return ExitCode ?? NOT_STARTED
    if (performance.now() > untilMs) {
      await kill(Pid, containerId)
      return undefined
    }
    await pause(LOOK_MS)
  }
}

/** The engine ends no program of a container. Another process may have the number by now. */
async function kill(pid: number | null | undefined, containerId: string): Promise<void> {
  if (!pid) return
  try {
    const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8')
    if (groups.includes(containerId)) process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
