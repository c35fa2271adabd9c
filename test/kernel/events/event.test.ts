import { expect, test } from 'vitest'
import { z } from 'zod'
import { eventCodec } from '#kernel/events/codec'
import { event, eventTypes, internal, sealed, stream } from '#kernel/events/event'
import type { JsonObject, RecordedEvent } from '#kernel/events/store-port'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'

const shape = {
  machineTokenId: z.string(),
  email: sealed(z.string().nullable()),
  hash: internal(z.string()),
  by: z.int(),
}
const options = { sealedFor: ({ machineTokenId }: { machineTokenId: string }) => `person/${machineTokenId}` }
const MachineTokenMinted = event('MachineTokenMinted', 'machineTokenId', shape, ({ by }) => `minted ${by}`, options)

const vault = openVault({ store: memoryKeyStore(), kek: Buffer.alloc(32, 3) })
const at = (type: string, schemaVersion: number, data: JsonObject): RecordedEvent => ({
  id: '0',
  type,
  schemaVersion,
  data,
  metadata: {},
  position: 1,
  stream: 's',
  revision: 1,
  recordedAt: new Date(0),
})

test.each([
  ['MachineTokenMinted', 'machineTokenId', 'machine_token.minted', 'machineToken'],
  ['LicenseKeyRead', 'licenseId', 'license.key_read', 'license'],
  ['ProvisioningReplayed', 'subscriptionId', 'provisioning.replayed', 'subscription'],
])('%s is audited as its action', (name, key, action, subject) => {
  const type = event(name, key as 'licenseId', { [key]: z.string() } as { licenseId: z.ZodString }, () => '')
  expect([type.action, type.subjectType]).toEqual([action, subject])
})

test('the audit trail shows neither sealed nor internal fields', () => {
  expect(MachineTokenMinted.shownFields).toEqual(['machineTokenId', 'by'])
})

test('sealed fields need to say for whom', () => {
  expect(() => event('X', 'xId', { xId: z.string(), name: sealed(z.string()) }, () => '')).toThrow('sealedFor')
})

test('two types of one name are found at the start', () => {
  const twin = event('MachineTokenMinted', 'machineTokenId', { machineTokenId: z.string() }, () => '')
  expect(() => eventTypes([stream('a', [MachineTokenMinted]), stream('b', [twin])])).toThrow('Two event types')
  expect(eventTypes([stream('a', [MachineTokenMinted]), stream('b', [MachineTokenMinted])]).size).toBe(1)
})

test('what is encoded is sealed, and decoded again to the same; null stays null', async () => {
  const codec = eventCodec([stream('a', [MachineTokenMinted])], vault)
  for (const email of ['a@b.test', null]) {
    const minted = MachineTokenMinted({ machineTokenId: 'm', email, hash: 'h', by: 1 })
    const encoded = await codec.encode(minted)
    expect(encoded.data['email']).toEqual(email === null ? null : expect.stringMatching(/^~1\.MachineTokenMinted\./))
    expect(await codec.decode(at(encoded.type, encoded.schemaVersion, encoded.data))).toEqual(minted)
  }
})

test('a sealed field moved to another subject does not open', async () => {
  const codec = eventCodec([stream('a', [MachineTokenMinted])], vault)
  const { data } = await codec.encode(MachineTokenMinted({ machineTokenId: 'm', email: 'a@b.test', hash: 'h', by: 1 }))
  await codec.encode(MachineTokenMinted({ machineTokenId: 'other', email: 'x', hash: 'h', by: 1 }))
  await expect(codec.decode(at('MachineTokenMinted', 1, { ...data, machineTokenId: 'other' }))).rejects.toThrow()
})

test('every consumer sees the newest shape, whatever was written', async () => {
  const Renamed = event('Renamed', 'xId', { xId: z.string(), first: z.string(), last: z.string() }, () => '', {
    upcasters: [
      ({ name, ...data }) => ({ ...data, full: name! }),
      ({ full, ...data }) => ({
        ...data,
        first: (full as string).split(' ')[0]!,
        last: (full as string).split(' ')[1]!,
      }),
    ],
  })
  const codec = eventCodec([stream('x', [Renamed])], vault)
  const newest = { xId: '1', first: 'Ada', last: 'Lovelace' }
  const stored: [number, JsonObject][] = [
    [1, { xId: '1', name: 'Ada Lovelace' }],
    [2, { xId: '1', full: 'Ada Lovelace' }],
    [3, newest],
  ]
  for (const [version, data] of stored) {
    expect((await codec.decode(at('Renamed', version, data))).data).toEqual(newest)
    expect(codec.decodeSealed(at('Renamed', version, data)).data).toEqual(newest)
  }
  expect((await codec.encode(Renamed(newest))).schemaVersion).toBe(3)
})

test('an unknown type is a bug that is told, never skipped', () => {
  const codec = eventCodec([], vault)
  expect(() => codec.decodeSealed(at('Gone', 1, {}))).toThrow('Unknown event type Gone')
})

test('a shape that only a newer process knows is not taken for the newest one', async () => {
  const codec = eventCodec([stream('a', [MachineTokenMinted])], vault)
  const newer = at('MachineTokenMinted', 2, { machineTokenId: 'm', email: null, hash: 'h', by: 1 })
  expect(() => codec.decodeSealed(newer)).toThrow('written in version 2, this process knows 1')
  await expect(codec.decode(newer)).rejects.toThrow('version 2')
})
