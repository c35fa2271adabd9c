/** Which programs a process and its children start, as the kernel tells it. */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'

const CALLS = ['-e', 'trace=execve,execveat', '-e', 'signal=none', '--seccomp-bpf']
const FILE = /^\d+ +execve(?:at)?\((?:\w+, )?"((?:[^"\\]|\\.)*)"/

const isInstalled = spawnSync('strace', ['-V']).status === 0
if (!isInstalled && process.env['CI']) throw new Error('CI needs strace, to know which programs an agent starts')

/** A container may forbid it. */
const isAllowed = isInstalled && spawnSync('strace', [...CALLS, '-o', '/dev/null', 'true']).status === 0
if (!isAllowed)
  console.log(`SKIPPED: which programs an agent starts: strace ${isInstalled ? 'may not trace' : 'is missing'}`)

export interface ProgramTrace {
  /** The command that runs a program. It keeps the process id, so that signals reach the program itself. */
  readonly within: readonly string[]
  /** Also those whose start failed. Undefined where that is not known. */
  programs(): Promise<ReadonlySet<string> | undefined>
}

/** @param path keeps what all processes of this trace have started */
export function programTrace(path: string): ProgramTrace {
  if (!isAllowed) return { within: [], programs: async () => undefined }
  return {
    // Detached, beside the program: else its end would be that of the tracer.
    within: ['strace', '-D', '-f', '-qq', ...CALLS, '-A', '-o', path],
    async programs() {
      const calls = (await readFile(path, 'utf8')).split('\n').filter(Boolean)
      return new Set(calls.map((call) => FILE.exec(call)?.[1] ?? call))
    },
  }
}
