import { getProjectsByIdResourceQuota, patchProjectsByIdResourceQuota } from '#api-client/panel/projects'
import { Action } from '../../kit/action.tsx'
import { Fact, Facts, Part } from '../../kit/controls.tsx'
import { useAnswerIf } from '../../session/context.tsx'

/** For those who may read quotas. */
export function Quota({ id }: { readonly id: string }) {
  const input = { params: { id } }
  const { data } = useAnswerIf(true, getProjectsByIdResourceQuota, input)
  if (!data) return null
  const { members, environments, inEffect } = data
  return (
    <Part
      title="Quota"
      actions={
        <Action
          operation={patchProjectsByIdResourceQuota}
          input={input}
          label="Change the quota"
          about={<p>An empty field stands for the default. What exists stays.</p>}
          initial={{ members, environments }}
          done="The quota is changed"
        />
      }
    >
      <Facts>
        <Fact label="Members">{limitOf(inEffect.members, members === null)}</Fact>
        <Fact label="Environments">{limitOf(inEffect.environments, environments === null)}</Fact>
      </Facts>
    </Part>
  )
}

const limitOf = (most: number | null, isDefault: boolean): string =>
  `${most === null ? 'no limit' : `at most ${most}`}${isDefault ? ' (default)' : ''}`
