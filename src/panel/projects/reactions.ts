import { reaction } from '#kernel/jobs/reaction'
import { users } from '../users/decider.ts'
import { userEvents } from '../users/events.ts'
import { joinProjects } from '../workflows/project-memberships.ts'
import { sealedForInvitee, sealedForProject, projectEvents } from './events.ts'

/** When an account proves an address, it joins all projects that invited the address. */
export const joinProjectsOnVerification = reaction('project-joins', {
  on: [userEvents.UserVerified, userEvents.UserAdded],
  run: ({ data: { userId } }, { run }) =>
    run(async (unit) => {
      const user = await unit.look(users, userId)
      if (user?.isVerified) await joinProjects(unit, user)
    }),
})

/** Destroys the key of an invited address when the invitation ends. */
export const eraseProjectInvitees = reaction('project-invitees', {
  on: [projectEvents.ProjectMemberJoined, projectEvents.ProjectMemberRemoved],
  async run({ type, data }, { vault }) {
    if (type === 'ProjectMemberJoined' || data.userId === null) await vault.erase([sealedForInvitee(data)])
  },
})

/** Destroys the keys of a deleted project. */
export const eraseProjectKeys = reaction('project-keys', {
  on: [projectEvents.ProjectDeleted],
  run: ({ data }, { vault }) =>
    vault.erase([sealedForProject(data), ...data.invitees.map((memberId) => sealedForInvitee({ memberId }))]),
})
