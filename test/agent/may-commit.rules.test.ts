/** What an agent asks before it does what a cancel does not take back. */
import { expect, test } from 'vitest'
import { mayCommit } from '../../src/agent/may-commit.ts'
import { PanelRefusal } from '../../src/agent/panel-client.ts'
import type { ProgressAnswer, ProgressBody } from '../../src/tasks/protocol.ts'

const TASK = { taskId: '01890000-0000-7000-8000-000000000001', attempt: 2 }

/** The panel answers one after the other; an error is thrown. */
function asking(...answers: (Error | Partial<ProgressAnswer>)[]) {
  const [asked, stop] = [[] as ProgressBody[], new AbortController()]
  const progress = async (_id: string, body: ProgressBody): Promise<ProgressAnswer> => {
    asked.push(body)
    const answer = answers.shift() ?? {}
    if (answer instanceof Error) throw answer
    return { next: 1, cancel: false, pause: false, ...answer }
  }
  const commits = { panel: { progress }, limits: { firstMs: 1 } }
  return { asked, stop, answer: mayCommit(TASK, commits, stop, stop.signal) }
}

test('it is asked until the panel answers, and an answer of an earlier version is no yes', async () => {
  const { asked, answer } = asking(new Error('The connection was cut'), new PanelRefusal(503, ''), { mayCommit: true })
  expect(await answer).toBe(true)
  expect(asked).toEqual(Array.from({ length: 3 }, () => ({ attempt: 2, lines: [], commits: true })))
  expect(await asking({ mayCommit: false }).answer).toBe(false)
  expect(await asking({}).answer).toBe(false)
})

test('a cancel stops the task, and a panel that does not know it ends it', async () => {
  const { stop, answer } = asking({ cancel: true, mayCommit: true })
  await expect(answer).rejects.toThrow('aborted')
  expect(stop.signal.aborted).toBe(true)
  await expect(asking(new PanelRefusal(404, 'NOT_FOUND')).answer).rejects.toMatchObject({ code: 'NOT_AGREED' })
})
