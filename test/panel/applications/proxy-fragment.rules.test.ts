/** What the proxy is told of an application, without a service: each fragment is one that the agent takes. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { NO_ADDRESS, PORTS_MAX } from '#panel/applications/addresses/rules'
import type { ApplicationPort } from '#panel/applications/addresses/rules'
import { fragmentOf } from '#panel/applications/proxy-fragment'
import type { FragmentInput } from '#panel/applications/proxy-fragment'
import { proxyFragment } from '../../../src/tasks/proxy.ts'

const idOf = (nth: number) => `01890000-0000-7000-8000-${String(nth).padStart(12, '0')}`
const [ID, DEPLOYMENT] = [idOf(1), idOf(2)]
const IP = '192.0.2.1'

const application = (more: object = {}) => ({
  ...NO_ADDRESS,
  workload: { kind: 'APPLICATION' as const, id: ID },
  label: 'shop',
  domain: null,
  port: 8_080,
  replicas: 2,
  urlPort: 20_000,
  ...more,
})
const port = (nth: number, more: Partial<ApplicationPort> = {}): ApplicationPort => ({
  portId: idOf(100 + nth),
  containerPort: 5_432,
  ip: null,
  port: 5_000 + nth,
  protocol: 'TCP',
  ...more,
})
const byId = (...ports: ApplicationPort[]) => Object.fromEntries(ports.map((each) => [each.portId, each]))
const made = (more: Partial<FragmentInput> = {}) => {
  const fragment = fragmentOf({
    application: application(),
    installation: 'panel',
    revision: 7,
    release: DEPLOYMENT,
    services: [{ name: 'app', replicas: 3, port: (more.application ?? application()).port }],
    appsDomain: '',
    ...more,
  })
  expect(z.strictObject(proxyFragment).parse(fragment), 'the agent takes it').toEqual(fragment)
  return fragment
}

test('an application is one backend with a listener at the port of its URL', () => {
  expect(made()).toEqual({
    installation: 'panel',
    owner: { kind: 'APPLICATION', id: ID },
    revision: 7,
    release: DEPLOYMENT,
    hosts: [],
    listeners: [{ ip: null, port: 20_000, mode: 'HTTP', backend: 'http' }],
    backends: [{ name: 'http', mode: 'HTTP', service: 'app', port: 8_080, replicas: 3 }],
  })
  expect(made({ application: application({ bindIp: IP }) }).listeners).toEqual([
    { ip: IP, port: 20_000, mode: 'HTTP', backend: 'http' },
  ])
})

test('a clean URL is a host, and no listener', () => {
  const clean = application({ urlMode: 'CLEAN', urlPort: null })
  expect(made({ application: clean, appsDomain: 'apps.example.com' })).toMatchObject({
    hosts: [{ host: 'shop.apps.example.com', backend: 'http' }],
    listeners: [],
    backends: [{ name: 'http' }],
  })
  expect(made({ application: clean }).hosts).toEqual([])
  const silent = { ...clean, port: null }
  expect(made({ application: silent, appsDomain: 'apps.example.com' })).toMatchObject({ hosts: [], backends: [] })
  expect(made({ appsDomain: 'apps.example.com' }).hosts).toEqual([])
})

test('ports over TCP are listeners, those to one port of the containers share a backend, and UDP is none', () => {
  const ports = byId(port(1), port(2, { ip: IP }), port(3, { containerPort: 53 }), port(4, { protocol: 'UDP' }))
  const { listeners, backends } = made({ application: application({ port: null, urlPort: null, ports }) })
  expect(listeners).toEqual([
    { ip: null, port: 5_001, mode: 'TCP', backend: 'tcp-5432' },
    { ip: IP, port: 5_002, mode: 'TCP', backend: 'tcp-5432' },
    { ip: null, port: 5_003, mode: 'TCP', backend: 'tcp-53' },
  ])
  expect(backends).toEqual([
    { name: 'tcp-5432', mode: 'TCP', service: 'app', port: 5_432, replicas: 3 },
    { name: 'tcp-53', mode: 'TCP', service: 'app', port: 53, replicas: 3 },
  ])
})

test('what leads to it stays without a release, and names the service of a release of several', () => {
  expect(made({ release: null, services: [] }).backends).toMatchObject([{ service: 'app', replicas: 2 }])
  const services = [
    { name: 'database', replicas: 1, port: 5_432 },
    { name: 'web', replicas: 4, port: 8_080 },
  ]
  expect(made({ services, service: 'web' }).backends).toMatchObject([{ service: 'web', replicas: 4 }])
})

test('requests go to the port of the release, whatever the application says since', () => {
  const services = [{ name: 'app', replicas: 1, port: 3_000 }]
  expect(made({ services }).backends).toMatchObject([{ port: 3_000 }])
  const silent = made({ services: [{ name: 'app', replicas: 1, port: null }] })
  expect([silent.backends, silent.listeners]).toEqual([[], []])
})

test('each listener and host leads to one of the backends, however many ports there are', () => {
  const ports = fc.array(
    fc.record({
      containerPort: fc.integer({ min: 1, max: 65_535 }),
      ip: fc.constantFrom(null, IP, '2001:db8::1'),
      protocol: fc.constantFrom('TCP' as const, 'UDP' as const),
    }),
    { maxLength: PORTS_MAX },
  )
  const input = fc.record({
    port: fc.option(fc.integer({ min: 1, max: 65_535 })),
    urlPort: fc.option(fc.integer({ min: 20_000, max: 29_999 })),
    urlMode: fc.constantFrom('PORT' as const, 'CLEAN' as const),
    ports,
  })
  fc.assert(
    fc.property(input, ({ ports: all, urlPort, ...more }) => {
      const opened = byId(...all.map((each, nth) => port(nth, each)))
      const hasPort = more.port !== null && more.urlMode === 'PORT'
      const of = application({ ...more, urlPort: hasPort ? urlPort : null, ports: opened })
      const { hosts, listeners, backends } = made({ application: of, appsDomain: 'apps.example.com' })
      const names = backends.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      for (const { backend } of [...hosts, ...listeners]) expect(names).toContain(backend)
    }),
  )
})
