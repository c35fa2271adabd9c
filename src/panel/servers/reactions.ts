import { reaction } from '#kernel/jobs/reaction'
import { serversNaming } from '#projections/panel/servers'
import { projectEvents } from '../projects/events.ts'
import { teamEvents } from '../teams/events.ts'
import { userEvents } from '../users/events.ts'
import { serverAccess } from './access/decider.ts'
import { forgetContact } from './contacts.ts'
import { sealedForServer, serverEvents } from './events.ts'
import { forgetLinks } from './mesh/links.ts'

/** The rules of an account, a team or a project that ceased to exist stay, so that no server opens by itself. */
export const noteGoneSubjects = reaction('server-subjects', {
  on: [userEvents.UserErased, teamEvents.TeamDeleted, projectEvents.ProjectDeleted],
  async run({ data }, { read, run }) {
    const subjectId = subjectOf(data)
    for (const serverId of await serversNaming(read, subjectId))
      await run((unit) => unit.decide(serverAccess, serverId, 'NoteSubjectGone', { serverId, subjectId }))
  },
})

type Gone = { readonly userId: string } | { readonly teamId: string } | { readonly projectId: string }

function subjectOf(gone: Gone): string {
  if ('userId' in gone) return gone.userId
  return 'teamId' in gone ? gone.teamId : gone.projectId
}

/** Destroys the keys of a removed server, and forgets when it was heard of and what it reached. */
export const eraseServer = reaction('server-keys', {
  on: [serverEvents.ServerRemoved],
  async run({ data }, { vault, telemetry }) {
    await vault.erase([sealedForServer(data)])
    await forgetContact(telemetry, data.serverId)
    await forgetLinks(telemetry, data.serverId)
  },
})
