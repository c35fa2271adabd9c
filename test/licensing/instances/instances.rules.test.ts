import { describe, expect, test } from 'vitest'
import { asksForHeldSlot, slotHolderWithKey, slotHolders, licenseSlots } from '#licensing/instances/decider'
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
import type { FingerprintComponents } from '#licensing/instances/events'
import { fingerprintHash } from '#licensing/workflows/leases/lease-signer'
import { AT, given } from '#test/support/decider-spec'
import { CUSTOMER_ID, LICENSE_ID, SUBSCRIPTION_ID, days, inDays } from '../../support/licensing/examples.ts'

const instanceId = (nth: number) => `01890000-0000-7000-8000-0000000e000${nth}`
const ids = (nth: number) => ({ instanceId: instanceId(nth), subscriptionId: SUBSCRIPTION_ID, customerId: CUSTOMER_ID })
const machine = (name: string): FingerprintComponents => ({
  install: `${name}-install`,
  machine: `${name}-machine`,
  board: `${name}-board`,
  rootfs: `${name}-rootfs`,
  cpu: `${name}-cpu`,
  net: `${name}-net`,
})
const hashed = (fingerprint: FingerprintComponents) => ({ fingerprint, fingerprintHash: fingerprintHash(fingerprint) })
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
  silent: [],
  ...more,
})

function activated(nth: number, more: Partial<ActivateInstance> = {}) {
  const { maxActivations: _cap, reclaimable: _some, silent: _silent, fingerprint, ...rest } = ask(nth, more)
  return InstanceActivated({ ...rest, fingerprint: JSON.stringify(fingerprint) })
}
const stale = (nth: number) => InstanceMarkedStale({ ...ids(nth), lastHeartbeatAt: inDays(-1) })
const gone = (nth: number) => InstanceDeactivated({ ...ids(nth), reason: null })
const moved = (nth: number, fingerprint: FingerprintComponents, drifted: boolean) =>
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
  const silent = (...numbers: number[]) =>
    numbers.map((nth) => ({ instanceId: instanceId(nth), lastHeartbeatAt: inDays(-1) }))
  const withMark = { ...machine('other'), install: 'm1-install', cpu: 'm1-cpu' }
  const rebuilt = { ...machine('m1'), install: 'new', cpu: 'other', net: 'other' }
  const SAME: [string, FingerprintComponents][] = [
    ['its own mark and one more component', withMark],
    ['three of the five others', rebuilt],
  ]
  const suspected = InstanceFlagged({ ...ids(1), flag: 'CLONE_SUSPECTED' })

  test.each(SAME)('with another key is the same machine by %s, where its panel is silent', (_by, fingerprint) =>
    given(licenseSlots, [activated(1), activated(2)])
      .when('ActivateInstance', ask(3, { ...anew, ...hashed(fingerprint), silent: silent(1) }))
      .then([rebound, moved(1, fingerprint, false)]),
  )

  test('with another key on the very same machine only binds it', () =>
    given(licenseSlots, [activated(1)])
      .when('ActivateInstance', ask(3, { ...anew, ...hashed(machine('m1')), silent: silent(1) }))
      .then([rebound]))

  test.each(SAME)('with another key takes no slot of a panel that is still heard, by %s', (_by, fingerprint) => {
    const asked = { ...ask(3), ...anew, ...hashed(fingerprint) }
    const after = given(licenseSlots, [activated(1), activated(2)]).when('ActivateInstance', asked)
    after.then([suspected])
    expect(
      slotHolderWithKey(given(licenseSlots, [activated(1), activated(2), suspected]).state, 'key-new'),
    ).toBeUndefined()
    given(licenseSlots, [activated(1), activated(2)])
      .when('ActivateInstance', { ...asked, silent: silent(2) })
      .then([suspected])
  })

  test('with another key takes a free slot beside a panel that is still heard, which is nothing to suspect', () => {
    const asked = { ...anew, ...hashed(machine('m1')) }
    given(licenseSlots, [activated(1)])
      .when('ActivateInstance', ask(2, asked))
      .then([activated(2, asked)])
    const reclaimable = silent(2)
    given(licenseSlots, [activated(1), activated(2)])
      .when('ActivateInstance', ask(3, { ...asked, reclaimable, silent: reclaimable }))
      .then([InstanceDeactivated({ ...ids(2), reason: 'silent, and its slot was needed' }), activated(3, asked)])
  })

  test('depends on who is silent only where another key asks for the slot of its own machine', () => {
    const { state } = given(licenseSlots, [activated(1), activated(2), gone(2)])
    const asks = (more: Partial<ActivateInstance>) => asksForHeldSlot(state, ask(3, more))
    for (const [, fingerprint] of SAME) expect(asks(hashed(fingerprint))).toBe(true)
    expect(asks({ ...hashed(machine('m1')), keyThumbprint: 'key-1' }), 'its own slot').toBe(false)
    expect(asks(hashed(machine('m2'))), 'the machine of a panel that holds no slot').toBe(false)
    expect(asks({}), 'another machine').toBe(false)
  })

  test('with another key is suspected once a day', () => {
    const again = ask(3, { ...anew, ...hashed(machine('m1')), maxActivations: 1 })
    const before = [activated(1), suspected]
    given(licenseSlots, before)
      .when('ActivateInstance', again, { at: days(0.99) })
      .then([])
    given(licenseSlots, before)
      .when('ActivateInstance', again, { at: days(1) })
      .then([suspected])
    expect(slotHolders(given(licenseSlots, [...before, suspected]).state)[0]!.flags).toEqual(['CLONE_SUSPECTED'])
  })

  test.each<[string, FingerprintComponents]>([
    ['its own mark alone', { ...machine('other'), install: 'm1-install' }],
    ['its own mark alone, and nothing else that could be read', { install: 'm1-install' }],
    ['two of the five others', { ...machine('m1'), install: 'new', cpu: 'o', net: 'o', board: 'o' }],
    ['nothing', machine('other')],
    ['nothing that either knows', {}],
  ])('with another key is another machine by %s', (_by, fingerprint) =>
    given(licenseSlots, [activated(1), activated(2)])
      .when('ActivateInstance', ask(3, { ...anew, ...hashed(fingerprint), silent: silent(1, 2) }))
      .refused(409, /2 of 2/),
  )

  test('with its own key is the same panel by its mark alone: restored or migrated', () => {
    const elsewhere = { ...machine('other'), install: 'm1-install' }
    given(licenseSlots, [activated(1), activated(2)])
      .when('ActivateInstance', ask(3, { ...ask(1), ...hashed(elsewhere) }))
      .then([moved(1, elsewhere, true)])
  })

  test('finds the likest of several machines, of two alike the silent one, and none that holds no slot', () => {
    const between = { ...machine('m1'), install: 'm2-install', net: 'm2-net' }
    given(licenseSlots, [activated(1), activated(2)])
      .when('ActivateInstance', ask(3, { ...anew, ...hashed(between), silent: silent(1, 2) }))
      .then([InstanceRebound({ ...ids(2), ...anew }), moved(2, between, false)])
    const twin = { keyThumbprint: 'key-2', ...hashed(machine('m1')) }
    given(licenseSlots, [activated(1), activated(2, twin)])
      .when('ActivateInstance', ask(3, { ...anew, ...hashed(machine('m1')), silent: silent(2) }))
      .then([InstanceRebound({ ...ids(2), ...anew })])
    given(licenseSlots, [activated(1), gone(1)])
      .when('ActivateInstance', ask(3, { ...anew, ...hashed(machine('m1')), silent: silent(1) }))
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
  expect(slotHolders(given(licenseSlots, [activated(1), stale(1), activated(2), released]).state)).toEqual([])
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
