/** Runs a program for a task, without a shell. Its whole process group ends with it, however it ends. */
import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { TaskFailure } from './performer.ts'
import type { Work } from './performer.ts'

/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 5_000
/** The kernel ends what was killed soon, unless it waits for a disk. */
const KILLED_MS = 1_000
const LOOK_EVERY_MS = 20

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string
  /** All of its environment. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Its output becomes lines of the task.
 * @returns its exit code; null if a signal has ended it
 * @throws TaskFailure NO_PROGRAM if it cannot be started · the reason of the signal of `work` · what `write` throws. All
 * its processes have ended then
 */
export async function runProgram(
  { command, args, cwd, env = {} }: Program,
  { signal, write }: Pick<Work<unknown>, 'signal' | 'write'>,
  graceMs = GRACE_MS,
): Promise<number | null> {
  signal.throwIfAborted()
  // Detached: a process group of its own, so that its children are reached too.
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = new Promise<number | null>((resolve, fail) => {
    child.once('error', () => fail(new TaskFailure('NO_PROGRAM', `${command} cannot be started`)))
    child.once('close', resolve)
  })
  let ending: Promise<void> | undefined
  const stop = () => void (ending ??= endGroup(child.pid!, graceMs))
  if (child.pid !== undefined) signal.addEventListener('abort', stop, { once: true })
  const tell = async (of: 'OUT' | 'ERR', output: Readable) => {
    for await (const piece of output.setEncoding('utf8')) await write(of, piece as string)
  }
  try {
    const [code] = await Promise.all([exited, tell('OUT', child.stdout), tell('ERR', child.stderr)])
    signal.throwIfAborted()
    return code
  } finally {
    signal.removeEventListener('abort', stop)
    // Also what lets go of its output and stays, and what runs on although its output cannot be kept.
    if (child.pid !== undefined) stop()
    await ending
  }
}

async function endGroup(leader: number, graceMs: number): Promise<void> {
  signalGroup(leader, 'SIGTERM')
  if (await isGone(leader, graceMs)) return
  signalGroup(leader, 'SIGKILL')
  await isGone(leader, KILLED_MS)
}

async function isGone(leader: number, withinMs: number): Promise<boolean> {
  const untilMs = performance.now() + withinMs
  while (signalGroup(leader, 0) && (await hasLiving(leader))) {
    if (performance.now() >= untilMs) return false
    await sleep(LOOK_EVERY_MS)
  }
  return true
}

/** What has ended stays in its group until its parent has taken notice, which may be never. Source: proc(5). */
async function hasLiving(leader: number): Promise<boolean> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const about = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const [state, , group] = about.slice(about.lastIndexOf(')') + 2).split(' ')
    if (Number(group) === leader && state !== 'Z' && state !== 'X') return true
  }
  return false
}

/** @returns false if none of its processes is there any more */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal)
  } catch {
    return false
  }
}
