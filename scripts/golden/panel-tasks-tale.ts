/** What happens to tasks of a server, told by the commands of their section: no agent is part of the tale. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { tasks } from '#panel/agent/decider'
import { taskKeys } from '#panel/agent/keys/decider'
import { told } from './panel-people.ts'
import type { PanelTeller } from './panel-people.ts'

const SERVER = '01890000-0000-7000-8000-00000000000a'
const RUN = '01890000-0000-4000-8000-00000000000b'
/** RFC 8037, A.1. */
const KEY = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
}
const RETRY = { attempts: 2, retryOn: ['TRY_AGAIN'] }
const HOUR_MS = 3_600_000

async function queued(unit: UnitOfWork, lifeMs = HOUR_MS): Promise<string> {
  const taskId = unit.newId()
  await unit.decide(tasks, taskId, 'Queue', {
    taskId,
    serverId: SERVER,
    projectId: null,
    kind: 'test.echo',
    kindVersion: 1,
    lane: 'echo',
    payload: '{"text":"hello"}',
    causeType: 'test',
    causeId: '1',
    expiresAt: new Date(unit.at.getTime() + lifeMs).toISOString(),
  })
  return taskId
}

const started = async (unit: UnitOfWork, id: string) => unit.decide(tasks, id, 'HandOut', { run: RUN, isKnown: true })

/** Every end of a task, and one that comes late. */
export async function runsTasks(teller: PanelTeller): Promise<void> {
  const asked = { attempt: 1, retry: RETRY }
  await told(teller, (unit) =>
    unit.decide(taskKeys, undefined, 'MakeFirst', { taskKeyId: unit.newId(), key: JSON.stringify(KEY) }),
  )
  await told(teller, async (unit) => {
    const id = await queued(unit)
    await started(unit, id)
    await unit.decide(tasks, id, 'End', { ...asked, outcome: 'SUCCEEDED', result: '{"text":"hello"}' })
    await unit.decide(tasks, id, 'End', { ...asked, outcome: 'CANCELLED' })
  })
  await told(teller, async (unit) => {
    const id = await queued(unit)
    await started(unit, id)
    await unit.decide(tasks, id, 'End', { ...asked, outcome: 'FAILED', code: 'TRY_AGAIN', message: 'Try again' })
    await unit.decide(tasks, id, 'Abandon', { code: 'SERVER_REMOVED', message: 'The server was removed' })
  })
  await told(teller, async (unit) => {
    const id = await queued(unit)
    await started(unit, id)
    await unit.decide(tasks, id, 'Cancel', {})
    await unit.decide(tasks, id, 'End', { ...asked, outcome: 'CANCELLED' })
  })
  await told(teller, async (unit) => unit.decide(tasks, await queued(unit, 0), 'Expire', {}))
}
