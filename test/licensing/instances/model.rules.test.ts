/** Any sequence of actions by panels, staff and timers on slots, compared with a model of a few lines. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Rejection } from '#kernel/lib/rejection'
import { slotHolders, licenseSlots } from '#licensing/instances/decider'
import type { Slots } from '#licensing/instances/decider'
import { fingerprintHash } from '#licensing/workflows/leases/lease-signer'
import { AT } from '#test/support/decider-spec'
import { CUSTOMER_ID, LICENSE_ID, SUBSCRIPTION_ID, days } from '../../support/licensing/examples.ts'

const RUNS = 500
const SYSTEM = { type: 'SYSTEM', id: 'test' }

/** Eight keys on six machines that have no component in common. */
const panel = fc.record({ key: fc.nat({ max: 7 }), machine: fc.nat({ max: 5 }) })
const nth = fc.nat({ max: 20 })
const steps = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant('activate' as const), panel, reclaims: fc.boolean() }),
    fc.record({ does: fc.constant('deactivate' as const), nth }),
    fc.record({ does: fc.constant('reactivate' as const), nth }),
    fc.record({ does: fc.constant('silence' as const), nth }),
    fc.record({ does: fc.constant('hear' as const), nth, machine: fc.nat({ max: 5 }) }),
    fc.record({ does: fc.constant('release' as const) }),
    fc.record({ does: fc.constant('raise' as const), by: fc.nat({ max: 2 }) }),
    fc.record({ does: fc.constant('wait' as const), days: fc.nat({ max: 40 }) }),
  ),
  { maxLength: 40 },
)

/** The part of an instance that matters to the model. */
interface Known {
  readonly id: string
  key: number
  machine: number
  isHolding: boolean
  isSilent: boolean
  drifts: Date[]
  flags: string[]
}

const idOf = (number: number): string => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`
const components = (machine: number) => ({ install: `i-${machine}`, machine: `m-${machine}`, board: `b-${machine}` })
const fingerprintOf = (machine: number) => ({
  fingerprint: components(machine),
  fingerprintHash: fingerprintHash(components(machine)),
})
const described = { name: 'n', hostname: 'h', version: '1', os: 'linux', arch: 'x64', ip: null }

const sold = { subscriptionId: SUBSCRIPTION_ID, customerId: CUSTOMER_ID, licenseId: LICENSE_ID }

class Model {
  readonly all: Known[] = []
  cap = 2

  holders = () => this.all.filter(({ isHolding }) => isHolding)

  /** @returns whether it is refused */
  activate(id: string, key: number, machine: number, reclaims: boolean, at: Date): boolean {
    const alike = this.holders().filter((each) => each.machine === machine)
    const known = this.all.findLast((each) => each.key === key) ?? alike.find(({ isSilent }) => isSilent)
    const canReclaim = reclaims && this.holders().length === this.cap && this.holders().some(({ isSilent }) => isSilent)
    if (!known && alike[0] && this.holders().length >= this.cap && !canReclaim) {
      this.flag(alike[0], 'CLONE_SUSPECTED')
      return false
    }
    if (!known?.isHolding) {
      const held = this.holders()
      const silent = held.find(({ isSilent }) => isSilent)
      if (held.length >= this.cap && !(reclaims && silent && held.length === this.cap)) return true
      if (held.length >= this.cap) silent!.isHolding = false
    }
    if (!known) {
      this.all.push({ id, key, machine, isHolding: true, isSilent: false, drifts: [], flags: [] })
      return false
    }
    Object.assign(known, { key, isHolding: true, isSilent: false })
    this.move(known, machine, at)
    return false
  }

  move(known: Known, machine: number, at: Date): void {
    if (known.machine === machine) return
    known.machine = machine
    known.drifts = [...known.drifts.filter((drift) => drift > days(-30, at)), at]
    if (known.drifts.length > 2) this.flag(known, 'FINGERPRINT_DRIFT')
  }

  flag({ flags }: Known, flag: string): void {
    if (!flags.includes(flag)) flags.push(flag)
  }
}

it('never lets more hold a slot than the cap, refuses none where there is one, and takes none of a heard panel', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const model = new Model()
      let slots: Slots = licenseSlots.initial
      let at = AT
      let number = 0

      /** @returns whether it was refused */
      function does(decide: (deciding: { at: Date; actor: typeof SYSTEM }) => readonly any[]): boolean {
        try {
          for (const event of decide({ at, actor: SYSTEM })) slots = licenseSlots.evolve(slots, event, at)
          return false
        } catch (error) {
          if (error instanceof Rejection && error.statusCode === 409) return true
          throw error
        }
      }
      const { commands } = licenseSlots

      for (const step of sequence) {
        const known = 'nth' in step ? model.all[step.nth % Math.max(1, model.all.length)] : undefined
        if ('nth' in step && !known) continue
        const which = { instanceId: known?.id ?? '' }
        if (step.does === 'wait') at = days(step.days, at)
        if (step.does === 'raise') model.cap += step.by
        if (step.does === 'activate') {
          const { key, machine } = step.panel
          const instanceId = idOf((number += 1))
          const silent = slotHolders(slots).filter(({ status }) => status === 'STALE')
          const reclaimable = silent
            .slice(0, 1)
            .map(({ id }) => ({ instanceId: id, lastHeartbeatAt: AT.toISOString() }))
          const refused = does((deciding) =>
            commands.ActivateInstance(
              slots,
              {
                ...sold,
                ...described,
                ...fingerprintOf(machine),
                instanceId,
                keyThumbprint: `key-${key}`,
                publicKey: `x-${key}`,
                maxActivations: model.cap,
                reclaimable: step.reclaims ? reclaimable : [],
                silent: silent.map(({ id }) => ({ instanceId: id, lastHeartbeatAt: AT.toISOString() })),
              },
              deciding,
            ),
          )
          expect(refused).toBe(model.activate(instanceId, key, machine, step.reclaims, at))
        }
        if (step.does === 'deactivate') {
          does(() => commands.DeactivateInstance(slots, { ...which, reason: null }))
          known!.isHolding = false
        }
        if (step.does === 'reactivate') {
          const isFree = known!.isHolding || model.holders().length < model.cap
          const ask = { ...which, maxActivations: model.cap }
          expect(does(() => commands.ReactivateInstance(slots, ask))).toBe(!isFree)
          if (isFree && !known!.isHolding) Object.assign(known!, { isHolding: true, isSilent: false })
        }
        if (step.does === 'silence') {
          does(() => commands.MarkStale(slots, { ...which, lastHeartbeatAt: at.toISOString() }))
          if (known!.isHolding) known!.isSilent = true
        }
        if (step.does === 'hear') {
          const heard = { ...which, version: '1', ...fingerprintOf(step.machine) }
          does((deciding) => commands.HearFromInstance(slots, heard, deciding))
          if (known!.isHolding) {
            known!.isSilent = false
            model.move(known!, step.machine, at)
          }
        }
        if (step.does === 'release') {
          does(() => commands.ReleaseSlots(slots, { subscriptionId: SUBSCRIPTION_ID, customerId: CUSTOMER_ID }))
          for (const each of model.all) each.isHolding = false
        }

        expect(slotHolders(slots).length).toBeLessThanOrEqual(model.cap)
        expect(
          slots.instances.map(({ id, status, keyThumbprint, flags }) => ({ id, status, keyThumbprint, flags })),
        ).toEqual(
          model.all.map(({ id, isHolding, isSilent, key, flags }) => ({
            id,
            status: isHolding ? (isSilent ? 'STALE' : 'ACTIVE') : 'DEACTIVATED',
            keyThumbprint: `key-${key}`,
            flags,
          })),
        )
      }
    }),
    { numRuns: RUNS },
  )
})
