/** Where the containers of a release are, by a real engine. */
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { engineCall } from '../../../src/agent/engine-call.ts'
import { targetsOn } from '../../../src/agent/proxy/targets.ts'
import { noEngine, sleepTar, startEngine } from '../../support/docker-engine.ts'

const INSTALLATION = 'this installation'
const engine = noEngine === undefined ? await startEngine() : undefined
afterAll(() => engine?.stop())
const targetsOf = targetsOn(engineCall(engine?.socketPath ?? '/nowhere'))

test.skipIf(noEngine !== undefined)(
  'the targets of a release are its running containers of that service, by their address in the network of their environment',
  async () => {
    const { api } = engine!
    await api('POST', '/images/create?fromSrc=-&repo=sleeper', sleepTar())
    const [release, other, environment] = [randomUUID(), randomUUID(), randomUUID()]
    const network = async (name: string, subnet: string, labels: object) =>
      api('POST', '/networks/create', { Name: name, Labels: labels, IPAM: { Config: [{ Subnet: subnet }] } })
    const own = { 'daybook.installation': INSTALLATION }
    await network('environment', '10.198.7.0/24', { ...own, 'daybook.environment': environment })
    await network('leaves-by', '10.198.8.0/24', own)
    async function container(address: string, labels: object, isStarted = true): Promise<void> {
      const { Id } = await api('POST', '/containers/create', {
        Image: 'sleeper',
        Cmd: ['/bin/sleep', '600'],
        Labels: {
          ...own,
          'daybook.environment': environment,
          'daybook.deployment': release,
          'daybook.service': 'app',
          ...labels,
        },
        NetworkingConfig: { EndpointsConfig: { 'leaves-by': {} } },
      })
      await api('POST', '/networks/environment/connect', {
        Container: Id,
        EndpointConfig: { IPAMConfig: { IPv4Address: address } },
      })
      if (isStarted) await api('POST', `/containers/${Id}/start`)
    }
    await container('10.198.7.12', {})
    await container('10.198.7.11', {})
    await container('10.198.7.13', { 'daybook.service': 'worker' })
    await container('10.198.7.14', { 'daybook.deployment': other })
    await container('10.198.7.15', { 'daybook.installation': 'another panel' })
    await container('10.198.7.16', {}, false)
    const asked = { installation: INSTALLATION, release, service: 'app' }
    const { signal } = new AbortController()
    expect(await targetsOf(asked, signal)).toEqual(['10.198.7.11', '10.198.7.12'])
    expect(await targetsOf({ ...asked, release: randomUUID() }, signal)).toEqual([])
  },
)
