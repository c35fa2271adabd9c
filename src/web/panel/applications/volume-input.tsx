/** The volumes of an application: what stays when its containers are replaced. */
import type { Application } from '#api-client/panel/schemas'
import { Button } from '../../kit/controls.tsx'
import type { ChoiceProps, Inputs } from '../projects/environments-choice.tsx'
import { TextField } from './text-field.tsx'

export type Volume = Application['volumes'][number]
type Volumes = Application['volumes']

const NEW: Volume = { name: '', mountPath: '', shared: false }
const VOLUMES_MAX = 10

function VolumesInput({ value, onChange }: ChoiceProps<Volumes>) {
  const put = (nth: number, volume: Volume) => onChange(value.map((each, at) => (at === nth ? volume : each)))
  return (
    <fieldset className="field">
      <legend>Volumes</legend>
      <span className="field-help">Each keeps what its containers write below a path, also when they are replaced</span>
      <div className="stack">
        {value.map((volume, nth) => (
          <VolumeInput
            key={nth}
            nth={nth + 1}
            value={volume}
            onChange={(changed) => put(nth, changed)}
            onRemove={() => onChange(value.filter((_, at) => at !== nth))}
          />
        ))}
        {value.length < VOLUMES_MAX && (
          <div className="row">
            <Button onClick={() => onChange([...value, NEW])}>Add a volume</Button>
          </div>
        )}
      </div>
    </fieldset>
  )
}

interface VolumeInputProps extends ChoiceProps<Volume> {
  readonly nth: number
  readonly onRemove: () => void
}

const VolumeInput = ({ nth, value, onChange, onRemove }: VolumeInputProps) => (
  <>
    <TextField
      label={`Name of volume ${nth}`}
      isRequired
      maxLength={40}
      pattern="[a-z0-9][a-z0-9_\-]{0,39}"
      value={value.name}
      onChange={(name) => onChange({ ...value, name })}
    />
    <TextField
      label={`Path of volume ${nth}`}
      isRequired
      maxLength={300}
      help="Within the containers, such as /var/lib/shop"
      value={value.mountPath}
      onChange={(mountPath) => onChange({ ...value, mountPath })}
    />
    <div className="row">
      <label className="check">
        <input
          type="checkbox"
          checked={value.shared}
          onChange={({ target }) => onChange({ ...value, shared: target.checked })}
        />
        <span>Old and new containers may use volume {nth} at the same time</span>
      </label>
      <Button onClick={onRemove}>Remove volume {nth}</Button>
    </div>
  </>
)

export const volumeInput: Inputs = {
  volumes: (value, change) => <VolumesInput value={(value as Volumes | undefined) ?? []} onChange={change} />,
}
