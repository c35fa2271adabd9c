import { describe, expect, test } from 'vitest'
import { holding, licenseSlots } from '#licensing/instances/decider'
import type { ActivateInstance } from '#licensing/instances/decider'
import {
  InstanceActivated,
  InstanceChanged,
  InstanceDeactivated,
  InstanceFingerprintChanged,
  InstanceFlagged,
  InstanceMarkedStale,
  InstanceReactivated,
  InstanceRebound,
  InstanceReturned,
  SlotsReleased,
} from '#licensing/instances/events'
import type { Components } from '#licensing/instances/events'
import { fingerprintHash } from '#licensing/lease'
import { AT, given } from '#test/given'
import { CUSTOMER_ID, LICENSE_ID, SUBSCRIPTION_ID, days, inDays } from './examples.ts'

const instanceId = (nth: number) => `01890000-0000-7000-8000-0000000e000${nth}`
const ids = (nth: number) => ({ instanceId: instanceId(nth), subscriptionId: SUBSCRIPTION_ID, customerId: CUSTOMER_ID })
const machine = (name: string): Components => ({
  install: `${name}-install`,
  machine: `${name}-machine`,
  board: `${name}-board`,
  rootfs: `${name}-rootfs`,
  cpu: `${name}-cpu`,
  net: `${name}-net`,
})
const hashed = (fingerprint: Components) => ({ fingerprint, fingerprintHash: fingerprintHash(fingerprint) })
const DESCRIBED = { name: 'web', hostname: 'web.test', version: '1.0.0', os: 'linux', arch: 'x64', ip: '192.0.2.1' }

const ask = (nth: number, more: Partial<ActivateInstance> = {}): ActivateInstance => ({
  ...ids(nth),
  licenseId: LICENSE_ID,
  ...DESCRIBED,
  keyThumbprint: `key-${nth}`,
  publicKey: `x-${nth}`,
  ...hashed(machine(`m${nth}`)),
  maxActivations: 2,
  reclaimable: [],
  ...more,
})

function activated(nth: number) {
  const { maxActivations: _cap, reclaimable: _some, fingerprint, ...rest } = ask(nth)
  return InstanceActivated({ ...rest, fingerprint: JSON.stringify(fingerprint) })
}
const stale = (nth: number) => InstanceMarkedStale({ ...ids(nth), lastHeartbeatAt: inDays(-1) })
const gone = (nth: number) => InstanceDeactivated({ ...ids(nth), reason: null })
const moved = (nth: number, fingerprint: Components, drifted: boolean) =>
  InstanceFingerprintChanged({
    ...ids(nth),
    fingerprint: JSON.stringify(fingerprint),
    fingerprintHash: fingerprintHash(fingerprint),
    drifted,
  })

describe('activation', () => {
  test('takes a free slot', () =>
    given(licenseSlots)
      .when('ActivateInstance', ask(1))
      .then([activated(1)]))

  test('is refused when none is free, and says how many are taken', () =>
    given(licenseSlots, [activated(1), activated(2)])
      .when('ActivateInstance', ask(3))
      .refused(409, 'License has no free activation slot (2 of 2 in use)'))

  test('counts silent instances, and none that were deactivated', () => {
    given(licenseSlots, [activated(1), activated(2), stale(2)])
      .when('ActivateInstance', ask(3))
      .refused(409, /2 of 2/)
    given(licenseSlots, [activated(1), activated(2), gone(2)])
      .when('ActivateInstance', ask(3))
      .then([activated(3)])
    given(licenseSlots, [activated(1), activated(2), SlotsReleased(ids(1))])
      .when('ActivateInstance', ask(3))
      .then([activated(3)])
  })

  test('of the same key changes nothing, also when every slot is taken', () =>
    given(licenseSlots, [activated(1), activated(2)])
      .when('ActivateInstance', ask(3, ask(1)))
      .then([]))

  test('of the same key tells what is new of the panel, but not where it calls from', () => {
    given(licenseSlots, [activated(1)])
      .when('ActivateInstance', { ...ask(1), ip: '192.0.2.9' })
      .then([])
    given(licenseSlots, [activated(1)])
      .when('ActivateInstance', { ...ask(1), version: '2.0.0' })
      .then([InstanceChanged({ ...ids(1), ...DESCRIBED, version: '2.0.0' })])
  })

  test('of a silent instance brings it back', () =>
    given(licenseSlots, [activated(1), stale(1)])
      .when('ActivateInstance', ask(1))
      .then([InstanceReturned(ids(1))]))

  test('of a deactivated instance takes a slot again, if there is one', () => {
    given(licenseSlots, [activated(1), gone(1)])
      .when('ActivateInstance', ask(1))
      .then([InstanceReactivated(ids(1))])
    given(licenseSlots, [activated(1), gone(1), activated(2), activated(3)])
      .when('ActivateInstance', ask(1))
      .refused(409, /2 of 2/)
  })

  const anew = { keyThumbprint: 'key-new', publicKey: 'x-new' }
  const rebound = InstanceRebound({ ...ids(1), ...anew })

  test.each<[string, Components, boolean]>([
    ['its own mark and one more component', { ...machine('other'), install: 'm1-install', cpu: 'm1-cpu' }, false],
    ['three of the five others', { ...machine('m1'), install: 'new', cpu: 'other', net: 'other' }, false],
    ['its own mark alone: restored or migrated', { ...machine('other'), install: 'm1-install' }, true],
    ['its own mark alone, and nothing else that could be read', { install: 'm1-install' }, true],
  ])('with another key is the same machine by %s', (_by, fingerprint, drifted) =>
    given(licenseSlots, [activated(1), activated(2)])
      .when('ActivateInstance', ask(3, { ...anew, ...hashed(fingerprint) }))
      .then([rebound, moved(1, fingerprint, drifted)]),
  )

  test('with another key on the very same machine only binds it', () =>
    given(licenseSlots, [activated(1)])
      .when('ActivateInstance', ask(3, { ...anew, ...hashed(machine('m1')) }))
      .then([rebound]))

  test.each<[string, Components]>([
    ['two of the five others', { ...machine('m1'), install: 'new', cpu: 'o', net: 'o', board: 'o' }],
    ['nothing', machine('other')],
    ['nothing that either knows', {}],
  ])('with another key is another machine by %s', (_by, fingerprint) =>
    given(licenseSlots, [activated(1), activated(2)])
      .when('ActivateInstance', ask(3, { ...anew, ...hashed(fingerprint) }))
      .refused(409, /2 of 2/),
  )

  test('finds the likest of several machines, and none that holds no slot', () => {
    const between = { ...machine('m1'), install: 'm2-install' }
    given(licenseSlots, [activated(1), activated(2)])
      .when('ActivateInstance', ask(3, { ...anew, ...hashed(between) }))
      .then([InstanceRebound({ ...ids(2), ...anew }), moved(2, between, true)])
    given(licenseSlots, [activated(1), gone(1)])
      .when('ActivateInstance', ask(3, { ...anew, ...hashed(machine('m1')) }))
      .events()
      .forEach(({ type }) => expect(type).toBe('InstanceActivated'))
  })

  test('takes the slot of the longest silent where the plan lets it, and only when it needs one', () => {
    const reclaimable = [
      { instanceId: instanceId(1), lastHeartbeatAt: inDays(-40) },
      { instanceId: instanceId(2), lastHeartbeatAt: inDays(-90) },
      { instanceId: instanceId(9), lastHeartbeatAt: inDays(-99) },
    ]
    given(licenseSlots, [activated(1), activated(2)])
      .when('ActivateInstance', ask(3, { reclaimable }))
      .then([InstanceDeactivated({ ...ids(2), reason: 'silent, and its slot was needed' }), activated(3)])
    given(licenseSlots, [activated(1)])
      .when('ActivateInstance', ask(3, { reclaimable }))
      .then([activated(3)])
    given(licenseSlots, [activated(1), activated(2), activated(4)])
      .when('ActivateInstance', ask(3, { reclaimable }))
      .refused(409, /3 of 2/)
  })
})

describe('an instance', () => {
  test('is deactivated once, and reactivated into a free slot', () => {
    given(licenseSlots, [activated(1)])
      .when('DeactivateInstance', { ...ids(1), reason: 'rebuilt' })
      .then([InstanceDeactivated({ ...ids(1), reason: 'rebuilt' })])
    given(licenseSlots, [activated(1), gone(1)])
      .when('DeactivateInstance', { ...ids(1), reason: null })
      .then([])
    const back = { ...ids(1), maxActivations: 1 }
    given(licenseSlots, [activated(1), gone(1)])
      .when('ReactivateInstance', back)
      .then([InstanceReactivated(ids(1))])
    given(licenseSlots, [activated(1)])
      .when('ReactivateInstance', back)
      .then([])
    given(licenseSlots, [activated(1), gone(1), activated(2)])
      .when('ReactivateInstance', back)
      .refused(409, 'License has no free activation slot (1 of 1 in use)')
    given(licenseSlots)
      .when('ReactivateInstance', back)
      .refused(409, /forgotten/)
  })

  test('is marked stale once, and its next word brings it back', () => {
    const silent = { ...ids(1), lastHeartbeatAt: inDays(-1) }
    const heard = { ...ids(1), version: '1.0.0', ...hashed(machine('m1')) }
    given(licenseSlots, [activated(1)])
      .when('MarkStale', silent)
      .then([stale(1)])
    given(licenseSlots, [activated(1), stale(1)])
      .when('MarkStale', silent)
      .then([])
    given(licenseSlots, [activated(1), gone(1)])
      .when('MarkStale', silent)
      .then([])
    given(licenseSlots, [activated(1), stale(1)])
      .when('HearFromInstance', heard)
      .then([InstanceReturned(ids(1))])
    given(licenseSlots, [activated(1)])
      .when('HearFromInstance', heard)
      .then([])
    given(licenseSlots, [activated(1), gone(1)])
      .when('HearFromInstance', heard)
      .then([])
  })

  test('that says something new of itself is remembered so', () =>
    given(licenseSlots, [activated(1)])
      .when('HearFromInstance', { ...ids(1), version: '1.1.0', ...hashed({ ...machine('m1'), net: 'new' }) })
      .then([
        InstanceChanged({ ...ids(1), ...DESCRIBED, version: '1.1.0' }),
        moved(1, { ...machine('m1'), net: 'new' }, false),
      ]))

  test('that drifts a third time within 30 days is flagged, once, and goes on', () => {
    const third = machine('third')
    const heard = { ...ids(1), version: '1.0.0', ...hashed(third) }
    const drifts = [activated(1), moved(1, machine('a'), true), moved(1, machine('b'), true)]
    const flag = InstanceFlagged({ ...ids(1), flag: 'FINGERPRINT_DRIFT' })
    given(licenseSlots, drifts)
      .when('HearFromInstance', heard, { at: days(29) })
      .then([moved(1, third, true), flag])
    given(licenseSlots, drifts)
      .when('HearFromInstance', heard, { at: days(31) })
      .then([moved(1, third, true)])
    given(licenseSlots, [...drifts, flag])
      .when('HearFromInstance', heard)
      .then([moved(1, third, true)])
  })

  test('is flagged once for each suspicion', () => {
    const flag = 'CLONE_SUSPECTED' as const
    given(licenseSlots, [activated(1)])
      .when('FlagInstance', { ...ids(1), flag })
      .then([InstanceFlagged({ ...ids(1), flag })])
    given(licenseSlots, [activated(1), InstanceFlagged({ ...ids(1), flag })])
      .when('FlagInstance', { ...ids(1), flag })
      .then([])
  })
})

test('slots are released by an event also when none is taken, so that whoever activates meanwhile is too late', () => {
  const { subscriptionId, customerId } = ids(1)
  const released = SlotsReleased({ subscriptionId, customerId })
  given(licenseSlots).when('ReleaseSlots', { subscriptionId, customerId }).then([released])
  expect(holding(given(licenseSlots, [activated(1), stale(1), activated(2), released]).state)).toEqual([])
})

test('of the deactivated only the newest are remembered', () => {
  let slots = licenseSlots.initial
  for (let nth = 0; nth < 700; nth += 1) {
    const id = `01890000-0000-7000-8000-${String(nth).padStart(12, '0')}`
    slots = licenseSlots.evolve(slots, { ...activated(1), data: { ...activated(1).data, instanceId: id } }, AT)
    slots = licenseSlots.evolve(slots, { ...gone(1), data: { ...gone(1).data, instanceId: id } }, AT)
  }
  expect(slots.instances).toHaveLength(500)
  expect(slots.instances.at(-1)!.id).toContain('000000000699')
})
