/** The Dockerfile and the Compose file that an application keeps itself. */
import {
  getApplicationsByIdFilesCompose,
  getApplicationsByIdFilesDockerfile,
  patchApplicationsByIdFilesCompose,
  patchApplicationsByIdFilesDockerfile,
} from '#api-client/panel/applications'
import type { Application } from '#api-client/panel/schemas'
import { Shown } from '../../kit/page.tsx'
import { useAnswer } from '../../session/context.tsx'
import { ApplicationPage } from './application-page.tsx'
import { TextFile } from './text-file.tsx'

export default function ApplicationFiles() {
  return (
    <ApplicationPage needs={getApplicationsByIdFilesDockerfile}>
      {({ id, source }) => <Files id={id} kind={source.kind} />}
    </ApplicationPage>
  )
}

interface FilesProps {
  readonly id: string
  readonly kind: Application['source']['kind']
}

function Files({ id, kind }: FilesProps) {
  if (kind === 'IMAGE') return <p className="soft">Its image is there already: it keeps no file here.</p>
  return (
    <>
      {kind !== 'COMPOSE' && <Dockerfile id={id} />}
      {kind !== 'DOCKERFILE' && <Compose id={id} />}
    </>
  )
}

function Dockerfile({ id }: { readonly id: string }) {
  const answer = useAnswer(getApplicationsByIdFilesDockerfile, { params: { id } })
  return (
    <Shown answer={answer}>
      {(file) => (
        <TextFile
          name="Dockerfile"
          of={file}
          operation={patchApplicationsByIdFilesDockerfile}
          id={id}
          about="The next build uses it."
        />
      )}
    </Shown>
  )
}

function Compose({ id }: { readonly id: string }) {
  const answer = useAnswer(getApplicationsByIdFilesCompose, { params: { id } })
  return (
    <Shown answer={answer}>
      {(file) => (
        <TextFile
          name="Compose file"
          of={file}
          operation={patchApplicationsByIdFilesCompose}
          id={id}
          about="The next deployment uses it."
        />
      )}
    </Shown>
  )
}
