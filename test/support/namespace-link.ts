/** A link to a host of its own: a network namespace that drops whatever comes in unasked. */
import { execFileSync, spawnSync } from 'node:child_process'
import { claimSubnet } from './claim-subnet.ts'
import type { Link } from './cut-link.ts'

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Why there are no namespaces here; undefined: there are. */
export const noNamespaces: string | undefined =
  process.getuid?.() !== 0
    ? 'no root'
    : ['ip', 'iptables'].find((program) => spawnSync(program, ['-V']).status !== 0)?.concat(' is not installed')

if (noNamespaces !== undefined) {
  if (process.env['CI']) throw new Error(`CI needs network namespaces: ${noNamespaces}`)
  console.log(`SKIPPED: agents behind a namespace of their own: ${noNamespaces}`)
}

/** @param port at which the panel listens at `host` */
export function namespaceLink(port: number): Link {
  const { name: namespace, subnet } = claimSubnet((nth) => {
    run('ip', 'netns', 'add', `daybook-215-${nth}`)
    return `daybook-215-${nth}`
  })
  const near = namespace
  const [host, inside] = [`10.215.${subnet}.1`, `10.215.${subnet}.2`]
  // `ip netns exec` would hide the control groups, which a container engine needs.
  const within = ['nsenter', `--net=/run/netns/${namespace}`]
  run('ip', 'link', 'add', near, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
  run('ip', 'address', 'add', `${host}/30`, 'dev', near)
  run('ip', '-n', namespace, 'address', 'add', `${inside}/30`, 'dev', 'eth0')
  for (const device of ['lo', 'eth0']) run('ip', '-n', namespace, 'link', 'set', device, 'up')
  const [enter, ...where] = within
  const filter = (...rule: readonly string[]) => run(enter!, ...where, 'iptables', ...rule)
  filter('-P', 'INPUT', 'DROP')
  filter('-A', 'INPUT', '-i', 'lo', '-j', 'ACCEPT')
  filter('-A', 'INPUT', '-m', 'state', '--state', 'ESTABLISHED', '-j', 'ACCEPT')
  const set = (state: 'up' | 'down') => void run('ip', 'link', 'set', near, state)
  set('up')
  return {
    url: `http://${host}:${port}`,
    host,
    within,
    cut: () => set('down'),
    mend: () => set('up'),
    close: async () => void run('ip', 'netns', 'delete', namespace),
  }
}
