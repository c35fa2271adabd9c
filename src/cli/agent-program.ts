/** The commands of the agent's executable. It holds its version, and the key of the releases that may replace it. */
import type { KeyObject } from 'node:crypto'
import { readlinkSync, realpathSync } from 'node:fs'
import { arch } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { registerHost, runAgentProgram } from '../agent/main.ts'
import type { AgentProgram } from '../agent/main.ts'
import { EXECUTABLE } from '../agent/release/executables.ts'
import { SELF_TEST } from '../agent/release/update.ts'
import { dockerHost, proxyHttpPort } from '../config/agent.ts'
import type { AgentArchitecture } from '../tasks/agent-release.ts'
import { newBoxKeys, openBox, sealBox } from '../tasks/sealed-box.ts'
import { untilStopped } from './until-stopped.ts'

const USAGE = `daybook-agent run DIR
    be the agent of this host; DIR holds its configuration
daybook-agent register DIR PANEL_URL
    become the agent of a server; the install token is read from the standard input
daybook-agent self-test
    check that the program runs on this host
daybook-agent notices
    show the licenses of what the program contains
daybook-agent --version`

const WRONG_USE = 64
const ARCHITECTURES: Readonly<Record<string, AgentArchitecture>> = { x64: 'amd64', arm64: 'arm64' }

export interface AgentExecutable {
  readonly version: string
  /** Ed25519, public. */
  readonly releaseKey: KeyObject
  /** Of the file that runs. */
  readonly path: string
  notices(): string
  readonly trialMs?: number
}

/** @returns the exit code */
export async function agentProgram(args: readonly string[], executable: AgentExecutable): Promise<number> {
  const [command = '', directory, panelUrl] = args
  const isCalled = (name: string, words: number) => command === name && args.length === words
  if (isCalled('--version', 1)) return say(executable.version)
  if (isCalled('notices', 1)) return say(executable.notices())
  if (isCalled(SELF_TEST, 1)) return selfTest(executable)
  if (isCalled('run', 2)) return runAgentProgram(programOf(executable, directory!))
  if (isCalled('register', 3)) {
    const url = panelUrl!.replace(/\/+$/, '')
    await registerHost({ ...programOf(executable, directory!), panelUrl: url })
    return say('The host is registered')
  }
  console.error(USAGE)
  return WRONG_USE
}

function say(line: string): number {
  console.log(line)
  return 0
}

const ownArch = (): AgentArchitecture | undefined => ARCHITECTURES[arch()]

/** What another C library or processor would break. @throws Error */
function selfTest({ version }: AgentExecutable): number {
  const keys = newBoxKeys()
  const subject = { taskId: SELF_TEST, attempt: 1 }
  const opened = openBox(sealBox(Buffer.from(version), keys.publicKey, subject), keys, subject)?.toString()
  if (opened !== version || ownArch() === undefined) throw new Error('This program does not work on this host')
  return say(`daybook-agent ${version} works on ${ownArch()}`)
}

/** Whether it is where install.sh has put it: another start would not run what an update leaves there. */
function isInstalled(path: string): boolean {
  try {
    return readlinkSync(join(dirname(path), EXECUTABLE)) === basename(path)
  } catch {
    return false
  }
}

function programOf({ version, releaseKey, path: given, trialMs }: AgentExecutable, directory: string): AgentProgram {
  const stop = new AbortController()
  const path = realpathSync(given)
  void untilStopped().then(() => stop.abort())
  return {
    version,
    directory: resolve(directory),
    panelUrl: undefined,
    installToken: async () => (await text(process.stdin)).trim(),
    dockerHost: dockerHost(process.env),
    proxyHttpPort: proxyHttpPort(process.env),
    release: isInstalled(path) ? { path, arch: ownArch()!, key: releaseKey, ...(trialMs && { trialMs }) } : undefined,
    signal: stop.signal,
    say: (message) => console.error(message),
  }
}
