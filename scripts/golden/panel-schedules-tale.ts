/** Schedules of an application, and a new secret of its webhook. */
import { applications } from '#panel/applications/decider'
import { scheduledDeploys } from '#panel/scheduled-deploys/decider'
import { told } from './panel-people.ts'
import type { PanelTeller, Person } from './panel-people.ts'
import type { Call } from './telling.ts'

const TEN_MINUTES_MS = 600_000

export async function isScheduled(call: Call, teller: PanelTeller, { as }: Person): Promise<void> {
  const [{ id: applicationId }] = (await call('GET /api/applications', { as })).body
  await call(`POST /api/applications/${applicationId}/webhook/rotate`, { as, body: { graceSeconds: 60 } })
  const add = async (body: object): Promise<string> =>
    (await call('POST /api/scheduled-deploys', { as, body: { applicationId, ...body } })).body.id
  const nightly = await add({ cron: '30 2 * * *', timezone: 'Europe/Berlin', missed: 'SKIP' })
  await call(`PATCH /api/scheduled-deploys/${nightly}`, { as, body: { enabled: false } })
  await becomesDue(teller, await add({ cron: '*/10 * * * *' }))
  const once = await add({ runAt: '9999-01-01T00:00:00.000Z' })
  await call(`POST /api/scheduled-deploys/${once}/run`, { as })
  await call(`DELETE /api/scheduled-deploys/${once}`, { as })
  const [{ id: gitProviderId }] = (await call('GET /api/git-providers', { as })).body
  await told(teller, (unit) => unit.decide(applications, applicationId, 'NoteWebhook', { gitProviderId }))
  await teller.settle()
}

/** Its times are told by their commands: the tale has no hours. */
async function becomesDue(teller: PanelTeller, id: string): Promise<void> {
  const due = (unit: Parameters<Parameters<typeof told>[1]>[0]) => unit.load(scheduledDeploys, id)
  await told(teller, async (unit) => {
    const scheduledFor = (await due(unit))!.nextAt!
    const nextAt = new Date(Date.parse(scheduledFor) + TEN_MINUTES_MS).toISOString()
    const ran = { scheduledFor, nextAt, deploymentId: null, refusal: 'NOTHING_TO_DEPLOY' }
    await unit.decide(scheduledDeploys, id, 'NoteRun', ran)
  })
  await told(teller, async (unit) => {
    const scheduledFor = (await due(unit))!.nextAt!
    await unit.decide(scheduledDeploys, id, 'NoteMissed', { scheduledFor, nextAt: null })
  })
}
