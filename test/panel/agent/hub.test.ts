/** Who waits for tasks is woken, and again where the read models show them late. Who has none need not look. */
import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import type { EventStore } from '#kernel/events/store-port'
import { createTaskHub } from '#panel/agent/hub'
import { queueTask } from '#panel/agent/queue-task'
import { echo } from '../../support/agent/kinds.ts'
import { startPanel } from '../../support/panel/service.ts'
import { handServers, openTaskPanel, testServer } from '../../support/panel/task-panel.ts'

const WAIT_MS = 20_000
const { serverId } = testServer('0192a3b4-0000-7000-8000-000000000001')
const panel = await startPanel({ open: openTaskPanel(handServers()), compareReadModels: false })

const { store } = panel.panel

/** What another process tells the hub that was made last. */
let hint = (_what: string) => {}

const hubWith = (waitUntilCaughtUp: () => Promise<boolean>, lingerMs?: number, followed: EventStore = store) =>
  createTaskHub({
    store: followed,
    ...(lingerMs !== undefined && { lingerMs }),
    projector: { waitUntilCaughtUp },
    asked: async () => [],
    hints: {
      tell: async () => {},
      follow(heard) {
        hint = heard
        return () => {}
      },
    },
    onError: (error) => expect.unreachable(String(error)),
  })

const queue = () =>
  panel.run(async (unit) => {
    const about = { serverId, projectId: null, cause: { type: 'test', id: '1' } }
    await queueTask(unit, echo, { ...about, taskId: unit.newId(), payload: { text: 'x' } })
  })

test('where read models lag, it is woken a second time', async () => {
  let lags = false
  const hub = hubWith(async () => !lags)
  const seat = await hub.ofServer(serverId)
  const wait = () => seat.wait(WAIT_MS, AbortSignal.timeout(2 * WAIT_MS))
  seat.reset()
  lags = true
  await queue()
  expect(await wait(), 'at the end of its patience').toBe(true)
  seat.reset()
  lags = false
  expect(await wait(), 'when they show it').toBe(true)
  seat.leave()
})

test('where read models lag when it begins, no server is idle until they show what was before', async () => {
  let lags = true
  const hub = hubWith(async () => !lags)
  const seat = await hub.ofServer(serverId)
  seat.reset()
  seat.noteIdle()
  expect(seat.isIdle).toBe(false)
  lags = false
  expect(await seat.wait(WAIT_MS, AbortSignal.timeout(2 * WAIT_MS)), 'when they show it').toBe(true)
  seat.reset()
  seat.noteIdle()
  expect(seat.isIdle).toBe(true)
  seat.leave()
})

test('a server without open tasks is idle until something changes, also while its agent does not wait', async () => {
  const hub = hubWith(async () => true, 0)
  const other = await hub.ofServer(randomUUID())
  const first = await hub.ofServer(serverId)
  first.reset()
  expect(first.isIdle).toBe(false)
  first.noteIdle()
  first.leave()
  const second = await hub.ofServer(serverId)
  expect(second.isIdle).toBe(true)
  second.leave()
  await queue()
  const third = await hub.ofServer(serverId)
  await expect.poll(() => third.isIdle).toBe(false)
  third.reset()
  await queue()
  expect(await third.wait(WAIT_MS, AbortSignal.timeout(WAIT_MS))).toBe(true)
  third.noteIdle()
  expect(third.isIdle, 'it changed during the read').toBe(false)
  third.reset()
  third.noteIdle()
  expect(third.isIdle).toBe(true)
  third.leave()
  other.leave()
  const isIdle = async () => {
    const seat = await hub.ofServer(serverId)
    seat.leave()
    return seat.isIdle
  }
  await expect.poll(isIdle, { message: 'nobody has followed since' }).toBe(false)
})

test('an agent that polls again soon finds that it goes on, and a store that is closed meanwhile is no failure', async () => {
  let [begun, fails] = [0, false]
  const counted: EventStore = {
    ...store,
    head: async () => {
      begun += 1
      return store.head()
    },
    readAll: async (...asked) => {
      if (!fails) return store.readAll(...asked)
      fails = false
      throw new Error('The store is closed')
    },
    onAppended: (...asked) => store.onAppended(...asked),
  }
  const hub = hubWith(async () => true, WAIT_MS, counted)
  for (let polls = 0; polls < 3; polls += 1) {
    const seat = await hub.ofServer(serverId)
    seat.reset()
    await queue()
    expect(await seat.wait(WAIT_MS, AbortSignal.timeout(WAIT_MS))).toBe(true)
    seat.leave()
  }
  expect(begun).toBe(1)
  hint(`asked/${serverId}`)
  expect(hub.isAsked(serverId), 'between two polls').toBe(true)
  fails = true
  await queue()
  const begunAnew = async () => {
    const seat = await hub.ofServer(serverId)
    seat.leave()
    return begun
  }
  await expect.poll(begunAnew).toBe(2)
})

test('it goes on for the whole time after the last request has left', async () => {
  const lingerMs = 123_456
  const hub = hubWith(async () => true, lingerMs)
  const timers = vi.spyOn(globalThis, 'setTimeout')
  ;(await hub.ofServer(serverId)).leave()
  const nth = timers.mock.calls.findIndex(([, ms]) => ms === lingerMs)
  const timer = timers.mock.results[nth]!.value
  timers.mockRestore()
  const cleared = vi.spyOn(globalThis, 'clearTimeout')
  const seat = await hub.ofServer(serverId)
  expect(cleared.mock.calls).toContainEqual([timer])
  cleared.mockRestore()
  seat.leave()
})
