/** Performers of releases on an engine of the test file, with an image that is made of the busybox of this machine. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uuidv7 } from '#kernel/lib/uuid'
import { hostEngine } from '../../../src/agent/host/engine.ts'
import { releasePerformers } from '../../../src/agent/releases/performers.ts'
import type { ProxySwitch } from '../../../src/agent/releases/proxy-switch.ts'
import type { ReleaseService } from '../../../src/tasks/releases.ts'
import type { TestEngine } from '../docker-engine.ts'

export const INSTALLATION = 'this installation'
const APPLETS = ['sh', 'httpd', 'nc', 'sleep', 'wget', 'tail', 'printf', 'dd', 'cat', 'env', 'nslookup', 'kill', 'ip']

/** Answers with the status that it is asked for; 0: never. */
const CGI = `#!/bin/sh
[ $QUERY_STRING = 0 ] && exec sleep 60
printf "HTTP/1.0 $QUERY_STRING X\\r\\nLocation: http://192.0.2.1/\\r\\n\\r\\n"
`
export const answers = (status: number): string => `/cgi-bin/answer?${status}`

/** Its programs, the text `it works` at `/`, and `answers`. */
export async function makeAppImage(
  { api }: Pick<TestEngine, 'api'>,
  name: string,
  changes: readonly string[] = [],
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'app-image-'))
  try {
    for (const each of ['bin', 'www', 'www/cgi-bin', 'data']) mkdirSync(join(folder, each))
    writeFileSync(join(folder, 'www/index.html'), 'it works\n')
    writeFileSync(join(folder, 'www/cgi-bin/answer'), CGI, { mode: 0o755 })
    execFileSync('cp', ['/bin/busybox', join(folder, 'bin')])
    for (const applet of APPLETS) symlinkSync('busybox', join(folder, 'bin', applet))
    const tar = execFileSync('tar', ['-c', '-C', folder, '.'], { maxBuffer: 64 * 2 ** 20 })
    const all = ['ENV PATH=/bin', ...changes].map((each) => `&changes=${encodeURIComponent(each)}`)
    await api('POST', `/images/create?fromSrc=-&repo=${name}${all.join('')}`, tar)
    return (await api('GET', `/images/${name}/json`)).Id
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const HTTP = 8_080
export const SERVE = ['httpd', '-f', '-p', String(HTTP), '-h', '/www']
export const health = (more: Partial<ReleaseService['health']> = {}): ReleaseService['health'] => ({
  kind: 'HTTP',
  path: '/',
  command: null,
  intervalSeconds: 1,
  timeoutSeconds: 2,
  startSeconds: 10,
  successes: 1,
  ...more,
})

export const service = (imageId: string, more: Partial<ReleaseService> = {}): ReleaseService => ({
  name: 'app',
  imageId,
  command: SERVE,
  port: HTTP,
  replicas: 1,
  memoryMiB: 32,
  cpuMillis: 500,
  volumes: [],
  published: [],
  health: health(),
  stopSeconds: 1,
  dependsOn: [],
  aliases: [],
  ...more,
})

/** Of one application in an environment of its own, unless it is said. */
export const releaseOf = (services: readonly object[], more: object = {}) => ({
  installation: INSTALLATION,
  workload: { kind: 'APPLICATION' as const, id: uuidv7() },
  projectId: uuidv7(),
  environmentId: uuidv7(),
  deploymentId: uuidv7(),
  services,
  outboundIp: null,
  ...more,
})

export interface Doing {
  readonly secrets?: object
  readonly signal?: AbortSignal
  readonly made?: Map<string, string>
  readonly onSay?: (text: string) => void
  /** Default: it may. */
  readonly mayCommit?: () => Promise<boolean>
}

interface HostOptions {
  readonly directory: string
  readonly proxy?: ProxySwitch
  readonly policyPath?: string
}

export function releaseHost(socketPath: string, { directory, ...more }: HostOptions) {
  const options = { policyPath: join(directory, 'no-policy.json'), ...more }
  const all = releasePerformers({ ...hostEngine(`unix://${socketPath}`), directory }, options)

  /** What it says is in `said`. */
  function perform(
    name: string,
    payload: object,
    { secrets, signal, made = new Map(), onSay, mayCommit = async () => true }: Doing = {},
  ) {
    const said: string[] = []
    const { kind, perform: run } = all.find(({ kind: { name: own } }) => own === name)!
    const work = {
      taskId: uuidv7(),
      payload: kind.payload.parse(payload),
      secrets: secrets ?? null,
      signal: signal ?? AbortSignal.timeout(60_000),
      made,
      mayCommit,
      note: async (key: string, ref: string) => void made.set(key, ref),
      say: async (text: string) => {
        said.push(text)
        onSay?.(text)
      },
      write: async (of: string, piece: string) => void said.push(`${of} ${piece}`),
    }
    const done = run(work as never).then((result) => kind.result.parse(result) as any)
    return Object.assign(done, { said })
  }
  return { perform }
}

export const errorOf = (done: Promise<unknown>): Promise<{ code: string; message: string }> =>
  done.then(
    () => ({ code: 'done', message: '' }),
    ({ code, message }) => ({ code, message }),
  )
