/** A panel with a license: it activates, sends heartbeats, and learns of the end. */
import assert from 'node:assert/strict'
import { licenseClient } from '../../src/license-client/client.ts'
import type { LicenseClient } from '../../src/license-client/client.ts'
import { hostValues } from '../../src/license-client/fingerprint.ts'
import type { Memory } from '../../src/license-client/memory.ts'
import { show, tell } from './telling.ts'
import type { Call } from './telling.ts'

export interface Panel {
  readonly license: LicenseClient
  /** Whether the service can be reached. */
  readonly network: { isUp: boolean }
}

export async function activate(call: Call, url: string, session: string, licenseKey: string): Promise<Panel> {
  tell('A panel starts with the key. It activates by a signed request; the key itself is never sent')
  const { body } = await call('GET', '/api/admin/settings/signing-keys', { as: session })
  const network = { isUp: true }
  let kept: Memory | undefined
  const license = licenseClient({
    serviceUrl: url,
    root: body.root.publicJwk,
    store: { load: async () => kept, save: async (memory) => void (kept = memory) },
    host: hostValues,
    about: { name: 'demo panel', hostname: 'demo.local', version: '1.0.0', os: process.platform, arch: process.arch },
    fetch: (input, init) => (network.isUp ? fetch(input, init) : Promise.reject(new TypeError('no network'))),
  })
  assert.equal((await license.start()).state, 'FREE')
  const standing = await license.activate(licenseKey)
  assert.equal(standing.state, 'ACTIVE')
  show('before, after', 'FREE, ACTIVE')
  const instances = await call('GET', '/api/admin/instances', { as: session })
  assert.equal(instances.body.total, 1)
  show('instance', `${instances.body.items[0].id} (${instances.body.items[0].name}) holds a slot`)
  return { license, network }
}

export async function heartbeats({ license, network }: Panel): Promise<void> {
  tell('The panel requests the state of its license; if no answer arrives, it decides by its signed lease')
  const online = await license.revalidate()
  assert.deepEqual([online.source, online.standing.state], ['ONLINE', 'ACTIVE'])
  show('answered', 'ACTIVE')
  network.isUp = false
  const offline = await license.revalidate()
  assert.deepEqual([offline.source, offline.standing.state], ['CACHE', 'OFFLINE'])
  show('no network', 'OFFLINE: everything continues to work')
  network.isUp = true
  assert.equal((await license.revalidate()).standing.state, 'ACTIVE')
  show('and again', 'ACTIVE')
}

export async function hearsOfTheEnd({ license }: Panel): Promise<void> {
  tell('The next heartbeat tells the panel, in a signed answer that no proxy can forge')
  const { source, standing } = await license.revalidate()
  assert.deepEqual([source, standing.state], ['ONLINE', 'DEGRADED'])
  show('standing', 'DEGRADED: what runs continues to run, nothing new can be created')
  await license.stop()
}
