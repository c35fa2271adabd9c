/** A directory that install.sh takes for a host, with the commands that it calls. */
import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { shellQuoted } from '#kernel/lib/shell-quote'

const AGAIN_MS = 20

export function hostIn(prefix: string) {
  const tools = join(prefix, 'tools')
  const path = (name: string) => join(prefix, name)
  const read = (name: string) => readFileSync(path(name), 'utf8')
  /** It records its arguments and its environment, and goes on as the real one, if there is one. */
  function record(name: string, real = ''): void {
    const log = shellQuoted(join(tools, `${name}.log`))
    const program = `#!/bin/sh\nprintf '%s\\n' "$*" >>${log}\nenv >>${log}\n${real && `exec ${real} "$@"\n`}`
    writeFileSync(join(tools, name), program)
    chmodSync(join(tools, name), 0o755)
  }
  mkdirSync(tools, { recursive: true })
  mkdirSync(path('run/systemd/system'), { recursive: true })
  record('systemctl')
  record('curl', '/usr/bin/curl')
  record('haproxy', '/usr/sbin/haproxy')

  return {
    path,
    read,
    tools,
    heard: (name: string) =>
      existsSync(join(tools, `${name}.log`)) ? readFileSync(join(tools, `${name}.log`), 'utf8') : '',
    /** The panel may run in this process, so nothing here blocks it. */
    async install(script: string, env: Record<string, string>, { shell = 'sh', uid = 0 } = {}) {
      const child = spawn(shell, shell === 'busybox' ? ['sh'] : [], {
        uid,
        env: { PATH: `${tools}:/usr/sbin:/usr/bin:/sbin:/bin`, DAYBOOK_PREFIX: prefix, ...env },
      })
      // A script that refuses reads no further.
      child.stdin.on('error', () => {})
      child.stdin.end(script)
      const [stdout, stderr, [status]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ])
      return { status: status as number, stdout, stderr }
    },
    /** Does what the unit says: runs what comes before each start, and starts again what has ended. */
    supervise() {
      const unit = read('etc/systemd/system/daybook-agent.service')
      const words = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)![1]!.split(' ')
      const said: string[] = []
      const codes: (number | null)[] = []
      let isStopped = false
      let child: ChildProcess | undefined
      const ended = (async () => {
        while (!isStopped) {
          const [before = '', ...rest] = words('ExecStartPre')
          said.push(spawnSync(before, rest, { encoding: 'utf8' }).stdout)
          const [command = '', ...args] = words('ExecStart')
          child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
          child.stderr!.on('data', (piece: Buffer) => said.push(String(piece)))
          const [code] = (await once(child, 'exit')) as [number | null]
          codes.push(code)
          await sleep(AGAIN_MS)
        }
      })()
      return {
        said: () => said.join(''),
        codes,
        async stop() {
          isStopped = true
          child?.kill('SIGTERM')
          await ended
        },
      }
    },
  }
}
