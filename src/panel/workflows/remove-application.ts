/** The end of an application: everything of it goes in one append, and what its server has of it by tasks. */
import { tasks } from '../agent/decider.ts'
import { applications } from '../applications/decider.ts'
import { placeOf } from '../applications/place.ts'
import { previewDomains } from '../applications/preview-domains/decider.ts'
import { applicationRoster } from '../applications/roster/decider.ts'
import { projectContents } from '../projects/contents/decider.ts'
import { freePorts } from './application-addresses.ts'
import { APPLICATION } from './applications.ts'
import { clearPlace } from './clear-place.ts'
import type { Deploying } from './deploying.ts'
import { closePreviews } from './previews.ts'
import { removeSchedulesOf } from './scheduled-deploys.ts'

const DELETED = { code: 'APPLICATION_GONE', message: 'The application was deleted' }

/** Nothing happens if it is not there. */
export async function removeApplication(
  deploying: Deploying,
  applicationId: string,
  { deleteVolumes }: { readonly deleteVolumes: boolean },
): Promise<void> {
  const { unit } = deploying
  const application = await unit.load(applications, applicationId)
  if (!application) return
  const { projectId, dataCopy } = application
  await closePreviews(deploying, application, 'APPLICATION')
  // Its domain is free for others.
  await unit.decide(previewDomains, undefined, 'Free', { applicationId })
  if (dataCopy?.state === 'RUNNING') await unit.decide(tasks, dataCopy.taskId, 'Cancel', {})
  await clearPlace(deploying, placeOf(application), { failure: DELETED, deleteVolumes })
  await removeSchedulesOf(unit, applicationId)
  await unit.decide(applications, applicationId, 'Delete', {})
  await unit.decide(applicationRoster, undefined, 'Strike', { applicationId })
  await unit.decide(projectContents, projectId, 'Remove', { projectId, kind: APPLICATION, itemId: applicationId })
  await freePorts(unit, application)
}
