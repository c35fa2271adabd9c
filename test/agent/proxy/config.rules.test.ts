import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { configOf } from '../../../src/agent/proxy/config-text.ts'
import { checkBeside, checkForeign, checkFragment } from '../../../src/agent/proxy/conflicts.ts'
import { listenersIn } from '../../../src/agent/proxy/foreign.ts'
import { loaderOf } from '../../../src/agent/proxy/loader.ts'
import { movesOf } from '../../../src/agent/proxy/moves.ts'
import type { ServerNow } from '../../../src/agent/proxy/moves.ts'
import { proxyVersion } from '../../../src/agent/proxy/program.ts'
import { reloadedIn, waitingIn, workersIn } from '../../../src/agent/proxy/runtime-answers.ts'
import { backendId, held, left, NO_TARGETS, ownerKey, switched, tidied } from '../../../src/agent/proxy/state.ts'
import type { ProxyState, Target } from '../../../src/agent/proxy/state.ts'
import { storeIn } from '../../../src/agent/proxy/store.ts'
import { proxyPut } from '../../../src/tasks/proxy.ts'
import type { ProxyFragment } from '../../../src/tasks/proxy.ts'
import { scratchDirectory } from '../../support/scratch.ts'

const ID = '01890000-0000-7000-8000-00000000aaaa'
const OTHER = '01890000-0000-7000-8000-00000000bbbb'
const RELEASE = '01890000-0000-7000-8000-00000000cccc'
const PLACES = { directory: '/data/proxy', httpPort: 80, account: 'haproxy', hasIpv6: true }

const FRAGMENT: ProxyFragment = {
  installation: 'an installation',
  owner: { kind: 'APPLICATION', id: ID },
  revision: 1,
  release: RELEASE,
  hosts: [{ host: 'shop.example', backend: 'web' }],
  listeners: [
    { ip: null, port: 20_001, mode: 'HTTP', backend: 'web' },
    { ip: '2001:DB8::0:1', port: 5432, mode: 'TCP', backend: 'db' },
  ],
  backends: [
    { name: 'web', mode: 'HTTP', service: 'app', port: 3000, replicas: 1 },
    { name: 'db', mode: 'TCP', service: 'db', port: 5432, replicas: 1 },
  ],
}
const WEB = backendId(FRAGMENT.owner, 'web')
const target = (address: string, release = RELEASE): Target => ({ address, port: 3000, release })
const stateOf = (fragment: ProxyFragment, current: readonly Target[] = []): ProxyState => ({
  fragments: new Map([[ownerKey(fragment.owner), fragment]]),
  backends: new Map([[backendId(fragment.owner, 'web'), switched(NO_TARGETS, current)]]),
})

test('the configuration has a frontend for hosts and for each listener, and slots for the next release', () => {
  const { text, map } = configOf(stateOf(FRAGMENT, [target('10.192.0.2')]), PLACES)
  expect(map.text).toBe(`shop.example ${WEB}\n`)
  const sections = text.split('\n\n').map((section) => section.split('\n').map((line) => line.trim()))
  const section = (name: string) => sections.find(([head]) => head!.startsWith(name))
  expect(section('frontend hosts from http')).toEqual([
    'frontend hosts from http',
    'bind 0.0.0.0:80',
    'bind [::]:80 v6only',
    'http-request set-var(txn.host) req.hdr(host)',
    'http-request del-header (?i)^(x[-_]forwarded.*|x[-_]real[-_]ip|forwarded|proxy)$ -m reg',
    'http-request set-header X-Forwarded-For %[src]',
    'http-request set-header X-Forwarded-Proto http',
    'http-request set-header X-Forwarded-Host %[var(txn.host)]',
    'http-request set-header X-Forwarded-Port %[dst_port]',
    `use_backend %[req.hdr(host),field(1,:),lower,rtrim(.),map_str(${map.path},unknown)]`,
    'default_backend unknown',
  ])
  expect(section('frontend 2001:db8::1-5432 from tcp')).toEqual([
    'frontend 2001:db8::1-5432 from tcp',
    'bind [2001:db8::1]:5432',
    `default_backend ${backendId(FRAGMENT.owner, 'db')}`,
  ])
  expect(section(`backend ${WEB} from http`)?.slice(0, 6)).toEqual([
    `backend ${WEB} from http`,
    'server s1 10.192.0.2:3000 check',
    'server s2 127.0.0.1:1 check disabled',
    'server s3 127.0.0.1:1 check disabled',
    'server s4 127.0.0.1:1 check disabled',
    'server hold 127.0.0.1:1 disabled',
  ])
})

test('only what a process must load anew changes the shape of a configuration', () => {
  const shapeOf = (fragment: ProxyFragment, current: readonly Target[] = []) =>
    configOf(stateOf(fragment, current), PLACES).shape
  const shape = shapeOf(FRAGMENT)
  expect(shapeOf({ ...FRAGMENT, revision: 9, release: null }, [target('10.192.0.9')])).toBe(shape)
  const [web, db] = FRAGMENT.backends
  const others: Partial<ProxyFragment>[] = [
    { hosts: [{ host: 'other.example', backend: 'web' }] },
    { hosts: [] },
    { listeners: FRAGMENT.listeners.slice(1) },
    { backends: [{ ...web!, replicas: 2 }, db!] },
  ]
  for (const other of others) expect(shapeOf({ ...FRAGMENT, ...other })).not.toBe(shape)
})

test('the names of hosts that a fragment may have never reach the configuration, and nothing else gets into it', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'a.b\n  bind :1',
      'a.b web',
      "a.b'",
      'a.b{',
      'a.b%[src]',
      'a.b#',
      'a.b\\',
      'a.b"',
      '..',
      '-a.b',
      'a.b ',
    ),
  )
  const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,8}[a-z0-9])?$/)
  const host = fc.oneof(
    hostile,
    fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.')),
  )
  const word = fc.oneof(hostile, label)
  const fragment = fc.record({
    hosts: fc.array(fc.record({ host, backend: fc.oneof(word, fc.constant('web')) }), { maxLength: 3 }),
    listeners: fc.array(
      fc.record({
        ip: fc.oneof(hostile, fc.ipV4(), fc.ipV6(), fc.constant(null), fc.constant('fe80::1%eth0')),
        port: fc.integer({ min: 1, max: 65_535 }),
        mode: fc.constant('HTTP'),
        backend: fc.oneof(word, fc.constant('web')),
      }),
      { maxLength: 2 },
    ),
    installation: fc.string({ minLength: 1, maxLength: 20 }),
    backends: fc.record({ name: fc.oneof(word, fc.constant('web')), service: fc.oneof(label, word) }),
  })
  const LINE =
    /^(?:# The agent of Daybook writes this file again and again\.|(?:global|defaults (?:common|http from common|tcp from common))|frontend (?:hosts|(?:all|[0-9a-f:.]+)-\d+) from (?:http|tcp)|backend (?:unknown|application-[0-9a-f-]{36}-[a-z0-9-]+) from (?:http|tcp)| {2}(?:bind (?:\[::\]:\d+ v6only|\[[0-9a-f:.]+\]:\d+|[0-9.]+:\d+)|default_backend (?:unknown|application-[0-9a-f-]{36}-[a-z0-9-]+)|server (?:s\d+|hold) 127\.0\.0\.1:1(?: check)? disabled)|)$/
  const fixed = new Set(configOf(stateOf({ ...FRAGMENT, hosts: [], listeners: [] }), PLACES).text.split('\n'))
  const forwarded = new Set(
    configOf(stateOf(FRAGMENT), PLACES)
      .text.split('\n')
      .filter((line) => line.startsWith('  http-request')),
  )
  let taken = 0
  fc.assert(
    fc.property(fragment, ({ backends: { name, service }, ...rest }) => {
      const parsed = proxyPut.payload.safeParse({
        ...FRAGMENT,
        ...rest,
        backends: [{ ...FRAGMENT.backends[0], name, service }],
      })
      if (!parsed.success) return
      const accepted = parsed.data
      try {
        checkFragment(accepted)
      } catch {
        return
      }
      taken += 1
      const { text, map } = configOf(stateOf(accepted), PLACES)
      const lines = text
        .split('\n')
        .filter(
          (line) =>
            !/^ {2}(?:description [0-9a-f]{32}|use_backend .*map_str\(\/data\/proxy\/hosts-[0-9a-f]{32}\.map,unknown\)\])$/.test(
              line,
            ),
        )
      expect(lines.filter((line) => !LINE.test(line) && !fixed.has(line) && !forwarded.has(line))).toEqual([])
      for (const line of map.text.split('\n'))
        expect(line).toMatch(/^(?:[a-z0-9.-]+ application-[0-9a-f-]{36}-[a-z0-9-]+)?$/)
    }),
    { numRuns: 3_000 },
  )
  expect(taken).toBeGreaterThan(50)
})

test('a field that the agent does not know is refused', () => {
  expect(proxyPut.payload.safeParse({ ...FRAGMENT, tls: true }).success).toBe(false)
  expect(
    proxyPut.payload.safeParse({ ...FRAGMENT, hosts: [{ host: 'a.example', backend: 'web', path: '/' }] }).success,
  ).toBe(false)
})

const codeOf = (work: () => void): string => {
  try {
    work()
    return 'taken'
  } catch (error) {
    return (error as { code: string }).code
  }
}

test('of two owners that want the same host or listener, the first one keeps it', () => {
  const other = { ...FRAGMENT, owner: { kind: 'PREVIEW' as const, id: OTHER } }
  const beside = (more: Partial<ProxyFragment>) => codeOf(() => checkBeside({ ...other, ...more }, [FRAGMENT], 80))
  expect(beside({ listeners: [] })).toBe('HOST_TAKEN')
  expect(beside({ hosts: [] })).toBe('PORT_IN_USE')
  const listener = { mode: 'HTTP' as const, backend: 'web' }
  expect(beside({ hosts: [], listeners: [{ ...listener, ip: '10.0.0.1', port: 20_001 }] })).toBe('PORT_IN_USE')
  expect(beside({ hosts: [], listeners: [{ ...listener, ip: '10.0.0.1', port: 80 }] })).toBe('PORT_IN_USE')
  expect(beside({ hosts: [], listeners: [{ ...listener, ip: '2001:db8::2', port: 5432 }] })).toBe('taken')
  expect(codeOf(() => checkForeign([{ ip: '10.0.0.1', port: 81 }], [{ ip: null, port: 81 }]))).toBe('PORT_IN_USE')
  expect(codeOf(() => checkForeign([{ ip: '10.0.0.1', port: 81 }], [{ ip: '10.0.0.2', port: 81 }]))).toBe('taken')
})

test('a fragment that contradicts itself is refused', () => {
  const faults: Partial<ProxyFragment>[] = [
    { backends: [...FRAGMENT.backends, FRAGMENT.backends[0]!] },
    { hosts: [{ host: 'shop.example', backend: 'db' }] },
    { hosts: [{ host: 'shop.example', backend: 'none' }] },
    { listeners: [{ ip: null, port: 1, mode: 'TCP', backend: 'web' }] },
  ]
  for (const fault of faults) expect(codeOf(() => checkFragment({ ...FRAGMENT, ...fault }))).toBe('BAD_FRAGMENT')
  expect(codeOf(() => checkFragment(FRAGMENT))).toBe('taken')
})

test('a new target is ready before the former one gets no more requests', () => {
  const servers: ServerNow[] = [
    { name: 's1', place: '10.0.0.1:3000', state: 'READY', sessions: 3 },
    { name: 's2', place: '10.0.0.9:3000', state: 'DRAIN', sessions: 1 },
    { name: 's3', place: '127.0.0.1:1', state: 'MAINT', sessions: 0 },
    { name: 'hold', place: '127.0.0.1:1', state: 'MAINT', sessions: 0 },
  ]
  const words = (wanted: Parameters<typeof movesOf>[2], of = servers) =>
    movesOf('b', of, wanted).commands.map((each) => each.slice(2).join(' '))
  const next = switched(NO_TARGETS, [target('10.0.0.2')])
  expect(words(next)).toEqual([
    'b/s3 state maint',
    'b/s3 addr 10.0.0.2 port 3000',
    'b/s3 state ready',
    'b/s1 state drain',
  ])
  expect(words(held(next))).toEqual(['b/hold state ready', 'b/s1 state drain'])
  expect(words(switched(NO_TARGETS, [target('10.0.0.1')]))).toEqual([])
  expect(words(switched(NO_TARGETS, [target('10.0.0.9')]))).toEqual(['b/s2 state ready', 'b/s1 state drain'])
  // A slot with requests keeps its address: they are counted by it.
  expect(
    movesOf(
      'b',
      servers.filter(({ name }) => name !== 's3'),
      next,
    ).isFull,
  ).toBe(true)
})

test('a target that leaves is remembered until it is cleared, also after its workload has gone', () => {
  const first = switched(NO_TARGETS, [target('10.0.0.1')])
  const second = switched(first, [target('10.0.0.2', OTHER)])
  expect(second.leaving).toEqual([target('10.0.0.1')])
  expect(switched(second, [target('10.0.0.1')])).toMatchObject({
    current: [target('10.0.0.1')],
    leaving: [target('10.0.0.2', OTHER)],
  })
  expect(left(first, RELEASE)).toEqual({ current: [], leaving: [target('10.0.0.1')], isHeld: false })
  expect(left(first, OTHER)).toEqual(first)
  const gone = tidied({
    fragments: new Map(),
    backends: new Map([
      [WEB, first],
      ['b', NO_TARGETS],
    ]),
  })
  expect([...gone.backends]).toEqual([[WEB, { current: [], leaving: [target('10.0.0.1')], isHeld: false }]])
})

test('listeners of the kernel are read in both families', () => {
  const head = '  sl  local_address rem_address   st tx_queue rx_queue\n'
  const line = (local: string, state = '0A') => `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000\n`
  expect(listenersIn(head + line('0100007F:1F90') + line('00000000:0050') + line('0200000A:0050', '01'))).toEqual([
    { ip: '127.0.0.1', port: 8080 },
    { ip: null, port: 80 },
  ])
  expect(
    listenersIn(
      line('00000000000000000000000000000000:0050') +
        line('B80D0120000000000000000001000000:0051') +
        line('0000000000000000FFFF00000100007F:0052'),
    ),
  ).toEqual([
    { ip: null, port: 80 },
    { ip: '2001:db8::1', port: 81 },
    { ip: '127.0.0.1', port: 82 },
  ])
})

test('workers of before a reload are told from the one of now, and their idle clients are counted', () => {
  const proc =
    '#<PID> <type>\n10  master  3 [failed: 1]  0d\n# workers\n12  worker  0  0d\n# old workers\n11  worker  1  0d\n# programs\n'
  expect(workersIn(proc)).toEqual([
    { pid: 12, isFormer: false },
    { pid: 11, isFormer: true },
  ])
  const stat = '# pxname,svname,qcur,qmax,scur\nall-1,FRONTEND,,,3\nhosts,FRONTEND,,,1\n'
  const sess =
    '0x1: proto=tcpv4 src=1.2.3.4:5 fe=all-1 be=b srv=s1 ts=00\n0x2: proto=sockpair src=unix:2 fe=GLOBAL be=<NONE> srv=<none> ts=00\n'
  expect(waitingIn(stat, sess)).toBe(3)
})

/** As 3.2 says it, with two workers that are left of before. */
const FAILED = `#<PID>          <type>          <reloads>       <uptime>        <version>
7               master          3 [failed: 1]   0d00h01m40s     3.2.26-1
# workers
# old workers
8               worker          3               0d00h01m40s     3.2.26-1
9               worker          1               0d00h00m20s     3.2.26-1
`

test('after a reload that failed, the newest worker goes on', () =>
  expect(workersIn(FAILED)).toEqual([
    { pid: 8, isFormer: true },
    { pid: 9, isFormer: false },
  ]))

test('HAProxy says whether a reload was done, or nothing', () => {
  expect(reloadedIn('Success=1\n--\n[NOTICE]   (7) : Loading success.\n')).toBe(true)
  expect(reloadedIn('Success=0\n--\n[ALERT]    (9) : Binding for frontend taken: cannot bind socket\n')).toBe(false)
  expect(reloadedIn('')).toBeUndefined()
})

test.each([[false], [undefined]])('a new worker that has not opened its ports is no success (%s)', async (told) => {
  let looks = 0
  const workers = async () => {
    looks += 1
    return [{ pid: looks === 1 ? 8 : 9, isFormer: false }]
  }
  const runtime = { workers, reload: async () => told, reloads: async () => ({ done: 1, failed: 0 }) }
  const state = { fragments: new Map(), backends: new Map() }
  const loader = loaderOf({
    runtime: runtime as never,
    isRunning: async () => true,
    start: async () => {},
    inTurn: (work) => work(),
    wanted: () => ({ state, config: { text: '', maps: new Map(), shape: '' } as never }),
    restore: async () => {},
  })
  const done = loader.reload()
  await (told === false ? expect(done).rejects.toMatchObject({ code: 'PROXY_DOWN' }) : done)
})

test('a fragment that cannot be kept leaves the targets as they were, and nothing is being written any more', async () => {
  const directory = scratchDirectory()
  mkdirSync(join(directory, 'fragments'))
  const store = storeIn(directory, join(directory, 'haproxy.cfg'))
  const before = stateOf(FRAGMENT, [target('10.192.0.2')])
  await store.keep({ fragments: new Map(), backends: new Map() }, before)
  const kept = readFileSync(join(directory, 'targets.json'), 'utf8')
  const others = Array.from({ length: 5 }, (_, nth) => {
    const owner = { kind: 'APPLICATION' as const, id: `01890000-0000-7000-8000-00000000000${nth}` }
    return { ...FRAGMENT, owner }
  })
  const fileOf = (owner: ProxyFragment['owner']) => join(directory, 'fragments', `${ownerKey(owner)}.json`)
  mkdirSync(`${fileOf(others[0]!.owner)}.new`)
  const after = { fragments: new Map(others.map((each) => [ownerKey(each.owner), each])), backends: new Map() }
  await expect(store.keep(before, after)).rejects.toThrow('EISDIR')
  expect(others.slice(1).every(({ owner }) => existsSync(fileOf(owner)))).toBe(true)
  expect(existsSync(fileOf(FRAGMENT.owner)), 'what is gone goes last').toBe(true)
  expect(readFileSync(join(directory, 'targets.json'), 'utf8')).toBe(kept)
})

test('a program that was killed before it told its version is asked again, and one that told it is not', async () => {
  const directory = scratchDirectory()
  const told = join(directory, 'told')
  writeFileSync(join(directory, 'haproxy'), `#!/bin/sh\ncat ${told} || kill -9 $$\n`, { mode: 0o755 })
  expect(await proxyVersion([directory])).toBeNull()
  writeFileSync(told, 'HAProxy version 3.0.11 2025/06/03')
  expect(await proxyVersion([directory])).toBe('3.0.11')
  writeFileSync(told, 'HAProxy version 3.0.12 2025/06/03')
  expect(await proxyVersion([directory])).toBe('3.0.11')
})
