import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { projectEnvironments } from './decider.ts'

/** Null: the whole project. */
export const environmentIds = z.array(uuid).min(1).max(100).nullable()

/** @throws Rejection 400 for an environment that the project does not have */
export async function rejectUnknownEnvironments(
  unit: UnitOfWork,
  projectId: string,
  ids: readonly string[] | null = null,
) {
  if (ids === null) return
  const { environments } = await unit.look(projectEnvironments, projectId)
  if (!ids.every((id) => environments[id]))
    reject('invalid', 'No environment of this project has this id', 'UNKNOWN_ENVIRONMENT')
}
