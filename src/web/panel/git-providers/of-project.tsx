import { deleteGitProvidersById, getGitProviders } from '#api-client/panel/git-providers'
import { Part } from '../../kit/controls.tsx'
import { ProjectPage } from '../projects/project-page.tsx'
import { useProject } from '../projects/rights.tsx'
import { ConnectProvider } from './connect.tsx'
import { Providers } from './providers.tsx'
import { SignInAtGitHub } from './sign-in-at-github.tsx'
import { SignInAtOwn } from './sign-in-at-own.tsx'

export default function ProjectGitProviders() {
  return <ProjectPage needs={getGitProviders}>{() => <OfProject />}</ProjectPage>
}

function OfProject() {
  const { id, can } = useProject()
  return (
    <Part
      title="Git providers"
      actions={
        <>
          <SignInAtGitHub projectId={id} />
          <SignInAtOwn projectId={id} />
          <ConnectProvider projectId={id} />
        </>
      }
    >
      <Providers projectId={id} isManager={can(deleteGitProvidersById)} />
    </Part>
  )
}
