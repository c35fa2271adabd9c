import { getRegistries, postRegistries } from '#api-client/panel/registries'
import { ProjectPage } from '../projects/project-page.tsx'
import { useProject } from '../projects/rights.tsx'
import { Registries } from './registries.tsx'

export default function ProjectRegistries() {
  return <ProjectPage needs={getRegistries}>{() => <OfProject />}</ProjectPage>
}

function OfProject() {
  const { id, can } = useProject()
  return <Registries projectId={id} isManaged={can(postRegistries)} />
}
