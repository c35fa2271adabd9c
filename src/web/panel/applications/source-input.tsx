/** Where the image of an application comes from. */
import type { Application } from '#api-client/panel/schemas'
import type { ChoiceProps, Inputs } from '../projects/environments-choice.tsx'
import { ChoiceField, optionsOf } from './choice-field.tsx'
import { GitInput, ServiceField } from './git-input.tsx'
import { ImageInput } from './image-input.tsx'
import { isWritten, KINDS, NEW } from './sources.ts'
import type { Source } from './sources.ts'

interface SourceInputProps extends ChoiceProps<Source> {
  readonly applicationId: string | undefined
}

function SourceInput({ applicationId, value, onChange }: SourceInputProps) {
  return (
    <fieldset className="field">
      <legend>Source</legend>
      <div className="stack">
        <ChoiceField
          label="Made from"
          value={value.kind}
          options={optionsOf(KINDS)}
          onChange={(kind) => onChange(NEW[kind])}
          {...(applicationId !== undefined &&
            isWritten(value) && { help: 'Its text is written on the page “Files”, before it is deployed' })}
        />
        {value.kind === 'IMAGE' && <ImageInput value={value} onChange={onChange} />}
        {value.kind === 'GIT' && <GitInput applicationId={applicationId} value={value} onChange={onChange} />}
        {value.kind === 'COMPOSE' && (
          <ServiceField value={value.service} onChange={(service) => onChange({ ...value, service })} />
        )}
      </div>
    </fieldset>
  )
}

/** @param application the one that is changed */
export const sourceInput = (application?: Application): Inputs => ({
  source: (value, change) => (
    <SourceInput applicationId={application?.id} value={(value as Source | undefined) ?? NEW.IMAGE} onChange={change} />
  ),
})
