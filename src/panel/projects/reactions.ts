import { reaction } from '#kernel/jobs/reaction'
import { joinProjects } from '../workflows/project-memberships.ts'
import { users } from '../users/decider.ts'
import { UserAdded, UserVerified } from '../users/events.ts'
import {
  ProjectDeleted,
  ProjectMemberJoined,
  ProjectMemberRemoved,
  sealedForInvitee,
  sealedForProject,
} from './events.ts'

/** Whoever has proven an address is a member of all projects that it was added to. */
export const joinProjectsOnVerification = reaction('project-joins', {
  on: [UserVerified, UserAdded],
  run: ({ data: { userId } }, { run }) =>
    run(async (unit) => {
      const user = await unit.look(users, userId)
      if (user?.isVerified) await joinProjects(unit, user)
    }),
})

/** An address that waits no longer cannot be read again. */
export const eraseProjectInvitees = reaction('project-invitees', {
  on: [ProjectMemberJoined, ProjectMemberRemoved],
  async run({ type, data }, { vault }) {
    if (type === 'ProjectMemberJoined' || data.userId === null) await vault.erase([sealedForInvitee(data)])
  },
})

/** Nor can all that was secret in a project that is gone. */
export const eraseProjectKeys = reaction('project-keys', {
  on: [ProjectDeleted],
  run: ({ data }, { vault }) =>
    vault.erase([sealedForProject(data), ...data.invitees.map((memberId) => sealedForInvitee({ memberId }))]),
})
