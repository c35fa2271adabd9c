/** The variables that previews get: those of one set, or those of the application that are no secrets. */
import { getApplicationsByIdEnvSets } from '#api-client/panel/applications'
import { useAnswerIf } from '../../session/context.tsx'
import { useProject } from '../projects/rights.tsx'
import { ChoiceField } from './choice-field.tsx'

const [NO_SET, PLAIN] = ['', 'those that are no secrets']

/** Undefined while they are not read, or may not be. */
function useSets(id: string) {
  const { can } = useProject()
  return useAnswerIf(can(getApplicationsByIdEnvSets), getApplicationsByIdEnvSets, { params: { id } }).data
}

export function SetName({ id, setId }: { readonly id: string; readonly setId: string | null }) {
  const sets = useSets(id)
  if (setId === null) return <>{PLAIN}</>
  const name = sets?.find((each) => each.id === setId)?.name
  return <>{name === undefined ? 'those of a set' : `those of the set ${name}`}</>
}

interface PreviewSetProps {
  readonly id: string
  readonly value: string | null
  readonly onChange: (setId: string | null) => void
}

export function PreviewSet({ id, value, onChange }: PreviewSetProps) {
  const sets = useSets(id) ?? []
  const isListed = value === null || sets.some((each) => each.id === value)
  const unlisted = isListed ? [] : ([[value, 'those of the present set']] as const)
  return (
    <ChoiceField
      label="Variables"
      help="A set is all that they get. Secrets of the application reach no preview without it."
      value={value ?? NO_SET}
      options={[[NO_SET, PLAIN], ...unlisted, ...sets.map((each) => [each.id, `those of ${each.name}`] as const)]}
      onChange={(chosen) => onChange(chosen === NO_SET ? null : chosen)}
    />
  )
}
