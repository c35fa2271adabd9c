import { reaction } from '#kernel/jobs/reaction'
import { timer } from '#kernel/jobs/timer'
import { gitProviderTable } from '#projections/panel/git-providers'
import { projectEvents } from '../projects/events.ts'
import { userEvents } from '../users/events.ts'
import { gitProviders } from './decider.ts'
import { renewToken } from './renewal.ts'

/**
 * The providers of an account end with it, also those that it has shared: no project goes on with the credentials of an
 * erased person. Those that are shared with a project end with the project.
 */
export const removeProviders = reaction('git-providers', {
  on: [userEvents.UserErased, projectEvents.ProjectDeleted],
  async run({ data }, { read, run }) {
    const all = gitProviderTable.queryIn(read).select('id')
    const ended = await (
      'userId' in data ? all.where('ownerId', '=', data.userId) : all.where('projectId', '=', data.projectId)
    ).execute()
    for (const { id } of ended)
      await run(async (unit) => {
        if (await unit.load(gitProviders, id)) await unit.decide(gitProviders, id, 'Remove', {})
      })
  },
})

/** Before they end, so that a server which fetches is given one that lasts. */
export const renewTokens = timer('git-tokens', {
  outside: true,
  async due({ read, until, limit }) {
    const rows = await gitProviderTable
      .queryIn(read)
      .select(['id', 'renewAt'])
      .where('renewAt', '<=', until.toISOString())
      .orderBy('renewAt')
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(({ id, renewAt }) => ({ key: id, at: renewAt! }))
  },
  run: ({ key }, work) => renewToken(work, key),
})
