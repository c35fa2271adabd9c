/** The image of an application, and the registry whose login brings it. */
import { getRegistries } from '#api-client/panel/registries'
import { useList } from '../../session/context.tsx'
import type { ChoiceProps } from '../projects/environments-choice.tsx'
import { useProject } from '../projects/rights.tsx'
import { ChoiceField } from './choice-field.tsx'
import type { SourceOf } from './sources.ts'
import { TextField } from './text-field.tsx'

export function ImageInput({ value, onChange }: ChoiceProps<SourceOf<'IMAGE'>>) {
  const { items } = useList(getRegistries, { query: { projectId: useProject().id } })
  return (
    <>
      <TextField
        label="Image"
        isRequired
        maxLength={300}
        help="Such as ghcr.io/team/shop:1.2"
        value={value.image}
        onChange={(image) => onChange({ ...value, image })}
      />
      {items.length > 0 && (
        <ChoiceField
          label="Registry"
          value={value.registryId ?? ''}
          options={[['', 'None: the image is public'], ...items.map(({ id, name }) => [id, name] as const)]}
          onChange={(registryId) => onChange({ ...value, registryId: registryId || null })}
        />
      )}
    </>
  )
}
