/** The kinds of tasks that deployments ask for: what each needs, and what follows from its end. */
import type { JobContext } from '#kernel/jobs/job-context'
import { Rejection } from '#kernel/lib/rejection'
import { gitFetch, imageBuild, imagePull } from '../../tasks/builds.ts'
import type { TaskKind } from '../../tasks/kind.ts'
import { proxyPut } from '../../tasks/proxy.ts'
import { releaseReplace } from '../../tasks/release-replace.ts'
import { releaseStart } from '../../tasks/release-start.ts'
import { releaseRemove, releaseRetire } from '../../tasks/releases.ts'
import type { Task } from '../agent/decider.ts'
import { askedTask } from '../agent/kinds.ts'
import type { AskedKind } from '../agent/kinds.ts'
import { resultOfTask } from '../agent/long-results.ts'
import { deployingFor } from '../workflows/deploying.ts'
import type { Deploying } from '../workflows/deploying.ts'
import {
  maySwitch,
  noteImage,
  noteReplaced,
  noteRetired,
  noteStarted,
  noteSwitched,
} from '../workflows/deployment-steps.ts'
import { failDeployment } from '../workflows/end-deployment.ts'
import { noteFetched } from '../workflows/note-fetched.ts'
import { buildSecrets, fetchSecrets, pullSecrets, releaseSecrets, retireSecrets } from './secrets.ts'
import { DEPLOYMENT } from './tasks.ts'

type Note = (deploying: Deploying, task: Task) => Promise<void>

/** In one unit of work. A task that no deployment has asked for is not theirs. */
const then =
  (note: Note): NonNullable<AskedKind['onEnd']> =>
  async (task, work: JobContext) => {
    if (task.causeType !== DEPLOYMENT) return
    const deploying = await deployingFor(work)
    await work.run((unit) => note({ unit, ...deploying }, task))
  }

const FACTS_GONE = {
  code: 'FACTS_GONE',
  message: 'What was found in the repository is not kept any more: deploy again',
}

/** The facts of a repository are in a file, which is there for a day. Those of earlier versions are in the event. */
const followFetch: NonNullable<AskedKind['onEnd']> = async (task, work) => {
  if (task.causeType !== DEPLOYMENT) return
  const deploying = await deployingFor(work)
  const { taskId: id, result } = task
  const told = result === null ? null : await resultOfTask(work, { id, result }).catch(undefinedIfGone)
  await work.run((unit) =>
    told === undefined
      ? failDeployment(unit, task.causeId, FACTS_GONE)
      : noteFetched({ unit, ...deploying }, task, told === null ? undefined : gitFetch.result.parse(told)),
  )
}

function undefinedIfGone(error: unknown): undefined {
  if (!(error instanceof Rejection) || error.statusCode !== 404) throw error
}

const asked = (kind: TaskKind, more: Omit<AskedKind, 'kind'>) => askedTask({ kind, ...more })

export const deploymentKinds = [
  asked(gitFetch, { secrets: fetchSecrets, onEnd: followFetch }),
  asked(imagePull, { secrets: pullSecrets, onEnd: then(noteImage) }),
  asked(imageBuild, { secrets: buildSecrets, onEnd: then(noteImage) }),
  asked(releaseStart, { secrets: releaseSecrets, mayCommit: maySwitch, onEnd: then(noteStarted) }),
  asked(releaseReplace, { secrets: releaseSecrets, onEnd: then(noteReplaced) }),
  asked(proxyPut, { onEnd: then(noteSwitched) }),
  asked(releaseRetire, { secrets: retireSecrets, onEnd: then(noteRetired) }),
  asked(releaseRemove, {}),
]
