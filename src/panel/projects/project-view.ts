/** A project as callers see it. */
import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { nameSchema } from '#kernel/lib/display-text'
import { projects } from './decider.ts'
import { projectFields } from './events.ts'
import { ownerOf } from './rights/rules.ts'

export const projectName = nameSchema(100)

export const Project = z
  .object({
    id: z.uuid(),
    ...projectFields,
    /** Null until an account claims the ownership. */
    ownerId: z.uuid().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Project' })

/** As the unit of work leaves it. */
export async function loadProject(unit: UnitOfWork, projectId: string) {
  const project = (await unit.load(projects, projectId))!
  return { ...project, ownerId: ownerOf(project)?.userId ?? null }
}
