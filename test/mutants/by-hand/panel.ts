/** The panel. */
import type { Break } from '../../../scripts/mutants/by-hand.ts'

export const panelBreaks: readonly Break[] = [
  {
    promise: 'a decision rests on the teams of that moment',
    file: 'src/panel/workflows/project-memberships.ts',
    in: 'toUserPrincipal',
    find: 'const teamIds = Object.keys(await unit.look(teamMemberships, user.id))',
    replace: 'const teamIds: string[] = []',
    test: 'test/panel/teams/teams.test.ts',
    named: 'a decision rests on the teams',
  },
  {
    promise: 'the cap is exact under races',
    file: 'src/panel/workflows/api-keys.ts',
    in: 'mintKey',
    find: "await unit.decide(apiKeys, ownerId ?? MACHINE, 'MintKey', ask)",
    replace:
      'apiKeys.commands.MintKey(await unit.look(apiKeys, ownerId ?? MACHINE), ask, { at: unit.at, actor: caller.actor })\n  for (const event of events) unit.appendEvent(apiKeys.stream, ownerId ?? MACHINE, event)',
    test: 'test/panel/api-keys/storm.test.ts',
    named: '1,000 concurrent mints of one account',
  },
]
