import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { projectEnvironments } from './decider.ts'

/** Null: the whole project. */
export const environmentIds = z.array(uuid).min(1).max(100).nullable()

export const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Use letters, digits and _; do not start with a digit')
  .max(128)
export const variableValue = z.string().max(32_768)

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
