/** One file of an application as a text that can be changed. */
import { useId, useState } from 'react'
import type {
  patchApplicationsByIdFilesCompose,
  patchApplicationsByIdFilesDockerfile,
} from '#api-client/panel/applications'
import type { ApplicationFile } from '#api-client/panel/schemas'
import { Button, Empty, Part } from '../../kit/controls.tsx'
import { OperationForm } from '../../kit/form.tsx'
import { tell } from '../../kit/overlay.tsx'
import { chosenIn } from '../../kit/select-input.tsx'
import type { ChoiceProps } from '../projects/environments-choice.tsx'
import { ProjectAction, useProject } from '../projects/rights.tsx'

interface TextFileProps {
  readonly name: 'Dockerfile' | 'Compose file'
  readonly of: ApplicationFile
  readonly operation: typeof patchApplicationsByIdFilesCompose | typeof patchApplicationsByIdFilesDockerfile
  readonly id: string
  /** When a change takes effect. */
  readonly about: string
}

const WITHOUT: Readonly<Record<ApplicationFile['source'], string>> = {
  STORED: 'Nothing is written yet, and there is nothing to deploy without it.',
  REPOSITORY: 'Nothing is kept here: the file of the repository counts.',
  GENERATED: 'Nothing is kept here: one is made for what the repository holds, unless it has one.',
}

export function TextFile({ name, of: { content, source }, operation, id, about }: TextFileProps) {
  const { can } = useProject()
  const [isBegun, setBegun] = useState(false)
  const mayWrite = can(operation)
  const input = { params: { id } }
  const isShown = content !== null || isBegun
  return (
    <Part
      title={name}
      actions={
        content !== null && (
          <ProjectAction
            operation={operation}
            input={input}
            label={`Remove the ${name}`}
            tone="bad"
            about={
              <p>Its text is gone from here. The next deployment takes the file of the repository, if there is one.</p>
            }
            only={[]}
            fixed={{ content: null }}
            onDone={() => setBegun(false)}
            done={`The ${name} is removed`}
          />
        )
      }
    >
      {!isShown && (
        <Empty action={mayWrite && <Button onClick={() => setBegun(true)}>{`Write a ${name}`}</Button>}>
          {WITHOUT[source]}
        </Empty>
      )}
      {isShown && !mayWrite && <pre>{content}</pre>}
      {isShown && mayWrite && (
        <OperationForm
          operation={operation}
          input={input}
          initial={{ content: content ?? '' }}
          onlyChanges={false}
          inputs={{
            content: (value, change) => (
              <TextOfFile label={`Text of the ${name}`} value={chosenIn(value)} onChange={change} />
            ),
          }}
          submit={`Save the ${name}`}
          onDone={() => tell(`The ${name} is saved. ${about}`)}
        />
      )}
    </Part>
  )
}

export function TextOfFile({ label, value, onChange }: ChoiceProps<string> & { readonly label: string }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="input mono file"
        spellCheck={false}
        required
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}
