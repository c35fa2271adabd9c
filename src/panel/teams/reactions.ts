import { reaction } from '#kernel/jobs/reaction'
import { sealedForInvitee } from '../projects/events.ts'
import { users } from '../users/decider.ts'
import { userEvents } from '../users/events.ts'
import { joinTeams } from '../workflows/team-memberships.ts'
import { sealedForTeam, teamEvents } from './events.ts'

/** When an account proves an address, it joins all teams that invited the address. */
export const joinTeamsOnVerification = reaction('team-joins', {
  on: [userEvents.UserVerified, userEvents.UserAdded],
  run: ({ data: { userId } }, { run }) =>
    run(async (unit) => {
      const user = await unit.look(users, userId)
      if (user?.isVerified) await joinTeams(unit, user)
    }),
})

/** Destroys the key of an invited address when the invitation ends. */
export const eraseTeamInvitees = reaction('team-invitees', {
  on: [teamEvents.TeamMemberJoined, teamEvents.TeamMemberRemoved],
  async run({ type, data }, { vault }) {
    if (type === 'TeamMemberJoined' || data.userId === null) await vault.erase([sealedForInvitee(data)])
  },
})

/** Destroys the keys of a deleted team. */
export const eraseTeamKeys = reaction('team-keys', {
  on: [teamEvents.TeamDeleted],
  run: ({ data }, { vault }) =>
    vault.erase([sealedForTeam(data), ...data.invitees.map((memberId) => sealedForInvitee({ memberId }))]),
})
