/**
 * Ends what a command has started in a container. The engine has no call for that, so its processes are found in the host's
 * list. Each has the mark of its task in its environment, or is of the session that the engine has made for the command.
 */
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { EngineCall } from '../engine-call.ts'

const MARK = 'DAYBOOK_COMMAND'
const PROCESSES = '/proc'
/** The kernel ends what was killed soon, unless it waits for a disk. */
const ENDING_MS = 5_000
const LOOK_EVERY_MS = 20

/** Of an exec of the engine. */
const Exec = z.object({ Running: z.boolean(), ExitCode: z.int().nullable(), Pid: z.int(), ContainerID: z.string() })
type Exec = z.output<typeof Exec>

/** A variable of the command, which its children have too. */
export const markOf = (taskId: string): string => `${MARK}=${taskId}`

/** @returns undefined if the engine does not know it */
export async function inspectExec(call: EngineCall, id: string, signal: AbortSignal): Promise<Exec | undefined> {
  return Exec.safeParse((await call('GET', `/exec/${id}/json`, signal)).body).data
}

interface MarkedCommand {
  readonly taskId: string
  readonly execId: string
}

/** @returns whether none of its processes is left */
export async function endCommand(call: EngineCall, { taskId, execId }: MarkedCommand): Promise<boolean> {
  const signal = AbortSignal.timeout(ENDING_MS)
  const untilMs = performance.now() + ENDING_MS
  while (performance.now() < untilMs) {
    const exec = await inspectExec(call, execId, signal).catch(() => undefined)
    if (!exec) return false
    const left = await processesOf(exec, markOf(taskId))
    if (left.length === 0 && !exec.Running) return true
    left.forEach(kill)
    await sleep(LOOK_EVERY_MS)
  }
  return false
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile, or the host does not let this agent end it: then it is found again.
  }
}

/** Only those of the container, so that a number that the host has given again meets no other process. */
async function processesOf({ Pid: leader, ContainerID: containerId }: Exec, mark: string): Promise<number[]> {
  const all = (await readdir(PROCESSES)).filter((name) => /^\d+$/.test(name))
  const own = await Promise.all(
    all.map(async (name) => {
      if (!(await textOf(name, 'cgroup')).includes(containerId)) return []
      const { state, session } = statOf(await textOf(name, 'stat'))
      if (state === '' || state === 'Z') return []
      const isOfSession = leader > 0 && (session === leader || Number(name) === leader)
      const isMarked = isOfSession || (await textOf(name, 'environ')).split('\0').includes(mark)
      return isMarked ? [Number(name)] : []
    }),
  )
  return own.flat()
}

const textOf = (pid: string, file: string): Promise<string> =>
  readFile(`${PROCESSES}/${pid}/${file}`, 'utf8').catch(() => '')

/** The name of the program stands in brackets, and may have any character. Source: proc(5). */
function statOf(text: string): { readonly state: string; readonly session: number } {
  const [state = '', , , session = '0'] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state, session: Number(session) }
}
