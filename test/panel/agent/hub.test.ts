/** Who waits for tasks is woken, and again where the read models show them late. */
import { expect, test } from 'vitest'
import { createTaskHub } from '#panel/agent/hub'
import { queueTask } from '#panel/agent/queue-task'
import { echo } from '../../support/agent/kinds.ts'
import { startPanel } from '../../support/panel/service.ts'
import { handServers, openTaskPanel, testServer } from '../../support/panel/task-panel.ts'

const WAIT_MS = 20_000
const { serverId } = testServer('0192a3b4-0000-7000-8000-000000000001')
const panel = await startPanel({ open: openTaskPanel(handServers()), compareReadModels: false })

test('where read models lag, it is woken a second time', async () => {
  const { store } = panel.panel
  let lags = false
  const hub = createTaskHub({
    store,
    projector: { waitUntilCaughtUp: async () => !lags },
    asked: async () => [],
    hints: { tell: async () => {}, follow: () => () => {} },
    onError: (error) => expect.unreachable(String(error)),
  })
  const seat = await hub.ofServer(serverId)
  const wait = () => seat.wait(WAIT_MS, AbortSignal.timeout(2 * WAIT_MS))
  seat.reset()
  lags = true
  await panel.run(async (unit) => {
    const about = { serverId, projectId: null, cause: { type: 'test', id: '1' } }
    await queueTask(unit, echo, { ...about, taskId: unit.newId(), payload: { text: 'x' } })
  })
  expect(await wait(), 'at the end of its patience').toBe(true)
  seat.reset()
  lags = false
  expect(await wait(), 'when they show it').toBe(true)
  seat.leave()
})
