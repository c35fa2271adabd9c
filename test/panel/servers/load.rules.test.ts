/** What a server holds, without a service: its sums stay within its quota. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Rejection } from '#kernel/lib/rejection'
import { serverLoad } from '#panel/servers/load/decider'
import { serverLoadEvents } from '#panel/servers/load/events'
import { freeOf, limitsInEffect, NO_LOAD, usualLimits } from '#panel/servers/load/rules'
import type { LoadLimits, LoadSums, Reservation } from '#panel/servers/load/rules'
import { AT, given } from '#test/support/decider-spec'

const RUNS = 500
const idOf = (nth: number) => `01890000-0000-7000-8000-${String(nth).padStart(12, '0')}`
const serverId = idOf(1)
const UNSET: LoadLimits = { workloads: null, cpuMillis: null, memoryMiB: null, diskMiB: null }
const USUAL: LoadLimits = { workloads: null, cpuMillis: 1_000, memoryMiB: 1_000, diskMiB: 1_000 }
const usual = { own: UNSET, usual: USUAL }
const small: Reservation = { cpuMillis: 100, memoryMiB: 100, diskMiB: 0 }
const workload = (nth: number, kind = 'REGISTRY') => ({ kind, id: idOf(nth) })
const placed = (nth: number, reserved = small, kind?: string) =>
  serverLoadEvents.WorkloadPlaced({ serverId, workload: workload(nth, kind), projectId: null, ...reserved })
const place = (nth: number, reserved = small, quota = usual) => ({
  serverId,
  workload: workload(nth),
  projectId: null,
  ...reserved,
  quota,
})

describe('what is usual', () => {
  test('the host keeps memory and disk for itself, and its CPU counts four times', () => {
    expect(usualLimits({ cpuMillis: 2_000, memoryMiB: 24_000, diskMiB: 1_001 })).toEqual({
      workloads: null,
      cpuMillis: 8_000,
      memoryMiB: 21_600,
      diskMiB: 900,
    })
    expect(usualLimits({ cpuMillis: 1_000, memoryMiB: 2_000, diskMiB: 0 }).memoryMiB).toBe(1_488)
    expect(usualLimits({ cpuMillis: 1_000, memoryMiB: 400, diskMiB: 0 }).memoryMiB).toBe(0)
  })

  test('nothing fits on a server whose agent has told nothing', () => {
    expect(usualLimits()).toEqual({ workloads: null, cpuMillis: 0, memoryMiB: 0, diskMiB: 0 })
  })

  test('a quota of its own goes before it, field by field', () => {
    const own = { ...UNSET, workloads: 3, memoryMiB: 5_000 }
    expect(limitsInEffect({ own, usual: USUAL })).toEqual({ ...USUAL, workloads: 3, memoryMiB: 5_000 })
    expect(freeOf({ ...USUAL, cpuMillis: 50 }, { workloads: 1, ...small })).toEqual({
      workloads: null,
      cpuMillis: 0,
      memoryMiB: 900,
      diskMiB: 1_000,
    })
  })
})

describe('workloads', () => {
  test('a workload is placed as long as the sums fit, and each only once', () => {
    given(serverLoad)
      .when('Place', place(1))
      .then([placed(1)])
    given(serverLoad, [placed(1)])
      .when('Place', place(1))
      .refused(409, /holds this workload/)
    given(serverLoad, [placed(1, small, 'WEBMAIL')])
      .when('Place', place(1))
      .then([placed(1)])
    const whole = { cpuMillis: 1_000, memoryMiB: 1_000, diskMiB: 1_000 }
    given(serverLoad)
      .when('Place', place(1, whole))
      .then([placed(1, whole)])
  })

  test('a refusal tells a quota that was set from the capacity of the host, and what is free', () => {
    for (const field of ['cpuMillis', 'memoryMiB', 'diskMiB'] as const) {
      const much = { ...small, [field]: 1_001 }
      const own = { own: { ...UNSET, [field]: 1_000 }, usual: USUAL }
      given(serverLoad)
        .when('Place', place(1, much))
        .refused(409, /^It does not fit on this server: 1000 of 1000/)
      given(serverLoad)
        .when('Place', place(1, much, own))
        .refused(409, /^The quota of this server allows no more/)
    }
    const one = { own: { ...UNSET, workloads: 1 }, usual: USUAL }
    given(serverLoad, [placed(1)])
      .when('Place', place(2, small, one))
      .refused(409, 'The quota of this server allows no more: 0 of 1 workloads are free')
  })

  test('a quota may shrink below what is there: what does not grow is let in', () => {
    const quota = { own: { ...UNSET, memoryMiB: 50 }, usual: USUAL }
    const resized = { ...small, memoryMiB: 99 }
    const load = given(serverLoad, [placed(1)])
    load
      .when('Resize', { serverId, workload: workload(1), ...resized, quota })
      .then([serverLoadEvents.WorkloadResized({ serverId, workload: workload(1), ...resized })])
    load.when('Resize', { serverId, workload: workload(1), ...small, quota }).then([])
    load.when('Resize', { serverId, workload: workload(1), ...small, memoryMiB: 101, quota }).refused(409, /quota/)
    load.when('Resize', { serverId, workload: workload(2), ...small, quota }).refused(404, 'Not found')
    const less = { ...small, memoryMiB: small.memoryMiB - 1 }
    load
      .when('GiveBack', { serverId, workload: workload(1), ...less, cpuMillis: small.cpuMillis + 1 })
      .then([serverLoadEvents.WorkloadResized({ serverId, workload: workload(1), ...less })])
    load.when('GiveBack', { serverId, workload: workload(1), ...small, memoryMiB: 101 }).then([])
    load.when('GiveBack', { serverId, workload: workload(2), ...small }).then([])
    load.when('Place', place(2, { ...small, memoryMiB: 0 }, quota)).then([placed(2, { ...small, memoryMiB: 0 })])
  })

  test('lifting makes room, and lifting what is not there is nothing', () => {
    const lifted = serverLoadEvents.WorkloadLifted({ serverId, workload: workload(1), projectId: null })
    given(serverLoad, [placed(1)])
      .when('Lift', { serverId, workload: workload(1) })
      .then([lifted])
    given(serverLoad, [placed(1), lifted])
      .when('Lift', { serverId, workload: workload(1) })
      .then([])
  })

  test('a server that holds something is not empty, and the refusal counts by kind', () => {
    given(serverLoad).when('MustBeEmpty', {}).then([])
    given(serverLoad, [placed(1), placed(2), placed(3, small, 'DATABASE')])
      .when('MustBeEmpty', {})
      .refused(409, 'The server is in use (1 DATABASE, 2 REGISTRY): delete or move that first')
  })
})

/** Any sequence of commands, compared with a model: the list of what is there. */
test('the sums are those of what is there, and grow only within the limits', () => {
  const amount = fc.nat({ max: 600 })
  const reserved = fc.record({ cpuMillis: amount, memoryMiB: amount, diskMiB: amount })
  const limit = fc.option(fc.nat({ max: 2_000 }))
  const quota = fc
    .record({ workloads: fc.option(fc.nat({ max: 4 })), cpuMillis: limit, memoryMiB: limit, diskMiB: limit })
    .map((own): { own: LoadLimits; usual: LoadLimits } => ({ own, usual: USUAL }))
  const nth = fc.nat({ max: 6 })
  const steps = fc.array(
    fc.oneof(
      fc.record({ does: fc.constant('Place' as const), nth, reserved, quota }),
      fc.record({ does: fc.constant('Resize' as const), nth, reserved, quota }),
      fc.record({ does: fc.constant('Lift' as const), nth }),
    ),
    { maxLength: 40 },
  )

  const sumsOf = (model: ReadonlyMap<number, Reservation>): LoadSums =>
    [...model.values()].reduce<LoadSums>(
      (sums, each) => ({
        workloads: sums.workloads + 1,
        cpuMillis: sums.cpuMillis + each.cpuMillis,
        memoryMiB: sums.memoryMiB + each.memoryMiB,
        diskMiB: sums.diskMiB + each.diskMiB,
      }),
      NO_LOAD,
    )
  const fields = Object.keys(NO_LOAD) as (keyof LoadSums)[]

  fc.assert(
    fc.property(steps, (all) => {
      const model = new Map<number, Reservation>()
      let state = serverLoad.initial
      for (const step of all) {
        const before = sumsOf(model)
        const isThere = model.has(step.nth)
        const after = new Map(model)
        if (step.does === 'Lift') after.delete(step.nth)
        else after.set(step.nth, step.reserved)
        const limits = step.does === 'Lift' ? UNSET : limitsInEffect(step.quota)
        const sums = sumsOf(after)
        const fits = fields.every((field) => sums[field] <= Math.max(limits[field] ?? Infinity, before[field]))
        const isAllowed = step.does === 'Lift' || (fits && isThere === (step.does === 'Resize'))
        const ask = { serverId, workload: workload(step.nth), projectId: null }
        const more = step.does === 'Lift' ? {} : { ...step.reserved, quota: step.quota }
        let isDone = true
        try {
          const decide = serverLoad.commands[step.does] as (...given: unknown[]) => any[]
          for (const event of decide(state, { ...ask, ...more })) state = serverLoad.evolve(state, event, AT)
        } catch (error) {
          if (!(error instanceof Rejection)) throw error
          isDone = false
        }
        expect(isDone).toBe(isAllowed)
        if (isDone && step.does === 'Lift') model.delete(step.nth)
        if (isDone && step.does !== 'Lift') model.set(step.nth, step.reserved)
        expect(state.sums).toEqual(sumsOf(model))
        expect(Object.keys(state.workloads)).toHaveLength(model.size)
      }
    }),
    { numRuns: RUNS },
  )
})
