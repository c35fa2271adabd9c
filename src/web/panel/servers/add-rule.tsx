import { postServers, postServersByIdAccess } from '#api-client/panel/servers'
import { Action } from '../../kit/action.tsx'
import { Actions } from '../../kit/actions.tsx'
import { chosenIn, SelectInput } from '../../kit/select-input.tsx'
import { useCan } from '../../session/context.tsx'
import type { Option, Subjects } from './subjects.tsx'

const OTHERS = { userId: undefined, teamId: undefined, projectId: undefined }

interface AddRuleProps {
  readonly serverId: string
  readonly isOpen: boolean
  readonly subjects: Subjects
}

export const AddRule = ({ serverId, isOpen, subjects: { people, teams, projects } }: AddRuleProps) => (
  <Actions
    more={
      <>
        <AddRuleFor of={{ serverId, isOpen }} kind="team" options={teams} />
        <AddRuleFor of={{ serverId, isOpen }} kind="project" options={projects} />
      </>
    }
  >
    <AddRuleFor of={{ serverId, isOpen }} kind="person" options={people} />
  </Actions>
)

const FIELDS = { person: 'userId', team: 'teamId', project: 'projectId' } as const
const LABELS = { person: 'Person', team: 'Team', project: 'Project' } as const

interface AddRuleForProps {
  readonly of: Pick<AddRuleProps, 'serverId' | 'isOpen'>
  readonly kind: keyof typeof FIELDS
  readonly options: readonly Option[]
}

function AddRuleFor({ of: { serverId, isOpen }, kind, options }: AddRuleForProps) {
  const can = useCan()
  const { [FIELDS[kind]]: _shown, ...others } = OTHERS
  const hints = [
    ...(isOpen ? ['This is the first rule: it closes the server to all others.'] : []),
    ...(kind === 'project' ? ['The rule is for those who may deploy in the project.'] : []),
  ]
  return (
    <Action
      operation={postServersByIdAccess}
      input={{ params: { id: serverId } }}
      label={`Add a ${kind}`}
      title={`Give a ${kind} access`}
      submit="Give access"
      tone={kind === 'person' ? 'main' : 'plain'}
      about={hints.length > 0 && hints.map((hint) => <p key={hint}>{hint}</p>)}
      isOffered={options.length > 0}
      order={[FIELDS[kind], 'level']}
      fixed={{ ...others, ...(can(postServers) ? {} : { level: 'USE' }) }}
      initial={{ level: 'USE' }}
      inputs={{
        [FIELDS[kind]]: (value, change) => (
          <SelectInput label={LABELS[kind]} value={chosenIn(value)} options={options} onChange={change} />
        ),
      }}
      done="The access rule is added"
    />
  )
}
