/** The accounts, teams and projects that an access rule can name, as far as the person may list them. */
import { getAdminProjects, getProjects } from '#api-client/panel/projects'
import type { ServerAccessRule } from '#api-client/panel/schemas'
import { getAdminTeams, getTeams } from '#api-client/panel/teams'
import { getAdminUsers } from '#api-client/panel/users'
import { useAnswerIf, useCan } from '../../session/context.tsx'

export interface Option {
  readonly value: string
  readonly label: string
}

export interface Subjects {
  readonly people: readonly Option[]
  readonly teams: readonly Option[]
  readonly projects: readonly Option[]
}

interface Named {
  readonly id: string
  readonly name: string
}

function itemsOf<Item>(data: readonly Item[] | { readonly items: readonly Item[] } | undefined): readonly Item[] {
  if (data === undefined) return []
  return 'items' in data ? data.items : data
}

const byName = ({ id, name }: Named): Option => ({ value: id, label: name })

export function useSubjects(): Subjects {
  const can = useCan()
  const [seesTeams, seesProjects] = [can(getAdminTeams), can(getAdminProjects)]
  const people = useAnswerIf(true, getAdminUsers, {})
  const allTeams = useAnswerIf(seesTeams, getAdminTeams, {})
  const ownTeams = useAnswerIf(!seesTeams, getTeams, {})
  const allProjects = useAnswerIf(seesProjects, getAdminProjects, {})
  const ownProjects = useAnswerIf(!seesProjects, getProjects, {})
  return {
    people: itemsOf(people.data).map(({ id, email }) => ({ value: id, label: email })),
    teams: [...itemsOf<Named>(allTeams.data), ...itemsOf<Named>(ownTeams.data)].map(byName),
    projects: [...itemsOf<Named>(allProjects.data), ...itemsOf<Named>(ownProjects.data)].map(byName),
  }
}

/** The name of what a rule is for, or its id where the person may not list it. */
export function subjectOf({ userId, teamId, projectId }: ServerAccessRule, of: Subjects): string {
  const id = userId ?? teamId ?? projectId ?? ''
  return [...of.people, ...of.teams, ...of.projects].find(({ value }) => value === id)?.label ?? id
}
