import { reaction } from '#kernel/jobs/reaction'
import { sealedForInvitee } from '../projects/events.ts'
import { joinTeams } from '../workflows/team-memberships.ts'
import { users } from '../users/decider.ts'
import { UserAdded, UserVerified } from '../users/events.ts'
import { sealedForTeam, TeamDeleted, TeamMemberJoined, TeamMemberRemoved } from './events.ts'

/** Whoever has proven an address is in all teams that it was added to. */
export const joinTeamsOnVerification = reaction('team-joins', {
  on: [UserVerified, UserAdded],
  run: ({ data: { userId } }, { run }) =>
    run(async (unit) => {
      const user = await unit.look(users, userId)
      if (user?.isVerified) await joinTeams(unit, user)
    }),
})

/** An address that waits no longer cannot be read again. */
export const eraseTeamInvitees = reaction('team-invitees', {
  on: [TeamMemberJoined, TeamMemberRemoved],
  async run({ type, data }, { vault }) {
    if (type === 'TeamMemberJoined' || data.userId === null) await vault.erase([sealedForInvitee(data)])
  },
})

/** Nor can the name of a team that is gone. */
export const eraseTeamKeys = reaction('team-keys', {
  on: [TeamDeleted],
  run: ({ data }, { vault }) =>
    vault.erase([sealedForTeam(data), ...data.invitees.map((memberId) => sealedForInvitee({ memberId }))]),
})
