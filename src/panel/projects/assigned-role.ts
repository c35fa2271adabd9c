/** The role that a request gives to a member or a team. */
import { z } from 'zod'
import { atMostOneOf } from '#kernel/lib/given-fields'
import { uuid } from '#kernel/lib/uuid'
import { environmentIds } from './environments/input.ts'
import { ASSIGNABLE_BUILT_IN_ROLES, assignedRoleFields } from './events.ts'

/** A built-in role, or one of the project's own by its id. */
export const assignedRoleInput = {
  role: z.enum(ASSIGNABLE_BUILT_IN_ROLES).optional(),
  roleId: uuid.optional(),
  environmentIds: environmentIds.default(null),
}
/** Includes OWNER, which no request gives. */
export const assignedRoleReply = { ...assignedRoleFields, role: z.string() }

type AssignedRoleInput = z.output<z.ZodObject<typeof assignedRoleInput>>

/** A body with these fields. */
export const withOneRole = <Shape extends typeof assignedRoleInput>(body: z.ZodObject<Shape, z.core.$strict>) =>
  atMostOneOf(body, ['role', 'roleId'], 'Give either role or roleId, not both')

export const toAssignedRole = ({ role = 'VIEWER', roleId, environmentIds }: AssignedRoleInput) => ({
  role: roleId === undefined ? role : ('CUSTOM' as const),
  roleId: roleId ?? null,
  environmentIds,
})
