import { getRegistries, postRegistries } from '#api-client/panel/registries'
import { Part } from '../../kit/controls.tsx'
import { ProjectPage } from '../projects/project-page.tsx'
import { useProject } from '../projects/rights.tsx'
import { AddRegistry } from './add-registry.tsx'
import { Registries } from './registries.tsx'

export default function ProjectRegistries() {
  return <ProjectPage needs={getRegistries}>{() => <OfProject />}</ProjectPage>
}

function OfProject() {
  const { id, can } = useProject()
  const isManaged = can(postRegistries)
  return (
    <Part title="Registries" actions={<AddRegistry projectId={id} isManaged={isManaged} />}>
      <Registries projectId={id} isManaged={isManaged} />
    </Part>
  )
}
