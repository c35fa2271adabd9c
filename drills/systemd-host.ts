/** A Debian of its own with systemd as its first process, on the network of this machine. */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { leftover } from './leftovers.ts'

const run = promisify(execFile)
const PACKAGES = ['systemd', 'systemd-sysv', 'dbus', 'haproxy', 'git', 'curl', 'ca-certificates', 'util-linux']
const BOOT_MS = 60_000
/** Those that systemd sets by the limits of units. */
const GROUPS = ['cpu', 'cpuacct', 'memory']
const CGROUPS = '/sys/fs/cgroup'
/** With the former version of control groups, the container gets its own ones to write to. */
const isFormer = existsSync(join(CGROUPS, 'memory'))
/** The proxy of the package is none of Daybook's. */
const INIT = `#!/bin/sh
for each in ${GROUPS.join(' ')}; do
  if [ -d ${CGROUPS}/$each ]; then mount -o remount,rw,bind ${CGROUPS}/$each; fi
done
rm -f /etc/systemd/system/multi-user.target.wants/haproxy.service
exec /lib/systemd/systemd
`

/** Why none can be booted here; undefined: one can. */
export function noSystemdHost(): string | undefined {
  if (process.getuid?.() !== 0) return 'no root'
  const missing = ['systemd-nspawn', 'mmdebstrap', 'nsenter'].find(
    (name) => spawnSync(name, ['--version']).status !== 0,
  )
  return missing && `${missing} is not installed`
}

export type SystemdHost = Awaited<ReturnType<typeof bootHost>>

/** @param shared a directory of this machine that it has at the same place */
export async function bootHost(directory: string, shared: string) {
  const root = join(directory, 'host')
  const release = 'bookworm'
  await run('mmdebstrap', ['--variant=minbase', `--include=${PACKAGES.join()}`, release, root], { maxBuffer: 2 ** 26 })
  writeFileSync(join(root, 'init'), INIT, { mode: 0o755 })
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n')
  const groups = isFormer ? GROUPS.map((each) => join(CGROUPS, each, `daybook-drill-${process.pid}`)) : []
  for (const each of groups) mkdirSync(each, { recursive: true })
  const words = ['-D', root, '--register=no', '--keep-unit', `--bind=${shared}`, '--console=read-only', '/init']
  const enter = groups.map((each) => `echo $$ >${each}/cgroup.procs; `).join('')
  const child = spawn('sh', ['-c', `${enter}exec systemd-nspawn "$@"`, 'sh', ...words], {
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const ended = once(child, 'exit')
  const cleaned = leftover(() => child.kill('SIGKILL'))

  const first = (): string | undefined =>
    readdirSync('/proc').find((pid) => /^\d+$/.test(pid) && rootOf(pid) === child.pid && isSystemd(pid))
  /** @throws Error with what it has said, unless it ends with 0 */
  async function inside(command: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const words = ['-t', pid!, '-m', '-u', '-i', '-p', '-C', '-r', '-w', 'sh', '-c', command]
    const { stdout } = await run('nsenter', words, { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env } })
    return stdout.trim()
  }
  let pid: string | undefined
  for (const late = performance.now() + BOOT_MS; ; await pause(200)) {
    pid = first()
    const state = pid && (await inside('systemctl is-system-running || true').catch(() => ''))
    if (state === 'running' || state === 'degraded') break
    if (performance.now() > late || child.exitCode !== null) throw new Error(`systemd does not boot: ${state ?? ''}`)
  }

  return {
    inside,
    show: (unit: string, property: string) => inside(`systemctl show -P ${property} ${unit}`),
    /** Of a unit, as the kernel applies it; by its two names. */
    limit: (path: string, former: string, unified: string) =>
      inside(
        isFormer ? `cat ${CGROUPS}/${former.split('.')[0]}/${path}/${former}` : `cat ${CGROUPS}/${path}/${unified}`,
      ),
    isFormer,
    async close() {
      await inside('systemctl poweroff --force').catch(() => {})
      await Promise.race([ended, pause(20_000).then(() => child.kill('SIGKILL'))])
      await ended
      cleaned()
      for (const each of groups) removeGroup(each)
    },
  }
}

const isSystemd = (pid: string): boolean => textOf(`/proc/${pid}/cmdline`).startsWith('/lib/systemd/systemd')

/** The parent of a process. */
const rootOf = (pid: string): number => Number(textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[1])

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function removeGroup(directory: string): void {
  for (const each of readdirSync(directory, { withFileTypes: true }))
    if (each.isDirectory()) removeGroup(join(directory, each.name))
  rmdirSync(directory)
}
