import { Part } from '../../kit/controls.tsx'
import { ProjectPage } from '../projects/project-page.tsx'
import { ProjectApplications } from './applications.tsx'
import { CreateApplication } from './create.tsx'

export default function ApplicationsOfProject() {
  return (
    <ProjectPage>
      {({ id }) => (
        <Part title="Applications" actions={<CreateApplication />}>
          <ProjectApplications projectId={id} />
        </Part>
      )}
    </ProjectPage>
  )
}
