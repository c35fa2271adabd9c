/** The repository of an application: where it is, its branch, and how an image is made of it. */
import type { ChoiceProps } from '../projects/environments-choice.tsx'
import { useBranches } from './branches.ts'
import { ChoiceField, optionsOf } from './choice-field.tsx'
import { Detected } from './detected.tsx'
import { LinesField } from './lines-field.tsx'
import { useProviders } from './providers.ts'
import { RepositoryField } from './repository-field.tsx'
import { BUILDS } from './sources.ts'
import type { SourceOf } from './sources.ts'
import { TextField } from './text-field.tsx'

export interface GitInputProps extends ChoiceProps<SourceOf<'GIT'>> {
  /** The application that is changed: the branches of its repository can be chosen. */
  readonly applicationId: string | undefined
}

export function GitInput({ applicationId, value, onChange }: GitInputProps) {
  const given = (more: Partial<SourceOf<'GIT'>>) => onChange({ ...value, ...more })
  const branches = useBranches(applicationId, value)
  return (
    <>
      <ProviderField value={value} onChange={onChange} />
      <RepositoryField value={value} onChange={onChange} />
      <TextField
        label="Branch"
        isRequired
        maxLength={200}
        choices={branches}
        value={value.branch}
        onChange={(branch) => given({ branch })}
      />
      <TextField
        label="Directory"
        maxLength={1_000}
        help="What is built, below the repository. Empty: the repository itself"
        value={value.directory}
        onChange={(directory) => given({ directory })}
      />
      <Detected value={value} onChange={onChange} />
      <ChoiceField
        label="Built"
        value={value.build}
        options={optionsOf(BUILDS)}
        onChange={(build) => given({ build, path: null, service: null })}
      />
      {value.build !== 'STATIC' && (
        <TextField
          label={value.build === 'COMPOSE' ? 'Path of the Compose file' : 'Path of the Dockerfile'}
          maxLength={1_000}
          help="Below the directory. Empty: its usual name"
          value={value.path ?? ''}
          onChange={(path) => given({ path: path || null })}
        />
      )}
      {value.build === 'COMPOSE' && <ServiceField value={value.service} onChange={(service) => given({ service })} />}
      <LinesField
        label="Paths that deploy"
        help="A push that changes nothing below them deploys nothing. Empty: each push does"
        value={value.watchPaths}
        onChange={(watchPaths) => given({ watchPaths })}
      />
    </>
  )
}

/** Without one, the repository is public. */
function ProviderField({ value, onChange }: ChoiceProps<SourceOf<'GIT'>>) {
  const all = useProviders()
  if (all.length === 0) return null
  return (
    <ChoiceField
      label="Git provider"
      value={value.providerId ?? ''}
      options={[['', 'None: the repository is public'], ...all.map(({ id, name }) => [id, name] as const)]}
      onChange={(providerId) => onChange({ ...value, providerId: providerId || null })}
    />
  )
}

export const ServiceField = ({ value, onChange }: ChoiceProps<string | null>) => (
  <TextField
    label="Service of HTTP"
    maxLength={40}
    help="The service of the Compose file that serves HTTP. Empty: its only one"
    value={value ?? ''}
    onChange={(service) => onChange(service || null)}
  />
)
