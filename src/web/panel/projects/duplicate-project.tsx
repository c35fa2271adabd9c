/** A copy of a project, which the person then owns. */
import { useLocation } from 'wouter'
import { postProjectsByIdDuplicate } from '#api-client/panel/projects'
import type { Project } from './project-page.tsx'
import { ProjectAction } from './rights.tsx'

export function DuplicateProject({ of: { id, name } }: { readonly of: Project }) {
  const [, go] = useLocation()
  return (
    <ProjectAction
      operation={postProjectsByIdDuplicate}
      input={{ params: { id } }}
      label="Duplicate"
      title={`Duplicate ${name}`}
      about={
        <p>
          The copy has the environments, shared variables and applications, and you own it. Members and ports are not
          copied.
        </p>
      }
      labels={{ copyData: 'Copy what is in the volumes of the applications' }}
      done="The copy is made"
      onDone={(copy) => go(`/projects/${copy.id}`)}
    />
  )
}
