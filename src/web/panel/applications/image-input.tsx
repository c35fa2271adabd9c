/** The image of an application, and the registry whose login brings it. */
import { useId } from 'react'
import { getRegistries } from '#api-client/panel/registries'
import type { Application } from '#api-client/panel/schemas'
import { useList } from '../../session/context.tsx'
import type { ChoiceProps, Inputs } from '../projects/environments-choice.tsx'
import { useProject } from '../projects/rights.tsx'

type Source = Application['source']

const NO_IMAGE: Source = { kind: 'IMAGE', image: '', registryId: null }

function ImageInput({ value, onChange }: ChoiceProps<Source>) {
  const [image, registry] = [useId(), useId()]
  const { items } = useList(getRegistries, { query: { projectId: useProject().id } })
  return (
    <>
      <div className="field">
        <label htmlFor={image}>Image</label>
        <input
          id={image}
          className="input"
          required
          maxLength={300}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${image}-help`}
          value={value.image}
          onChange={({ target }) => onChange({ ...value, image: target.value })}
        />
        <span id={`${image}-help`} className="field-help">
          Such as ghcr.io/team/shop:1.2
        </span>
      </div>
      {items.length > 0 && (
        <div className="field">
          <label htmlFor={registry}>
            Registry<span className="soft small"> (optional)</span>
          </label>
          <select
            id={registry}
            className="input"
            value={value.registryId ?? ''}
            onChange={({ target }) => onChange({ ...value, registryId: target.value || null })}
          >
            <option value="">None: the image is public</option>
            {items.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
    </>
  )
}

export const sourceInput: Inputs = {
  source: (value, change) => <ImageInput value={(value as Source | undefined) ?? NO_IMAGE} onChange={change} />,
}
