import { useId } from 'react'
import { getApiKeysScopes, postApiKeys } from '#api-client/panel/api-keys'
import { getProjects } from '#api-client/panel/projects'
import { Action } from '../../kit/action.tsx'
import { PermissionChoice } from '../../kit/permissions.tsx'
import { useAccount, useAnswer, useList } from '../../session/context.tsx'
import type { Account } from '../../session/realm.ts'

interface User extends Account {
  readonly role: string
}

/** Keys of other accounts are made by administrators elsewhere; machine keys have no owner. */
export function NewKey() {
  const { role } = useAccount<User>()
  const { data: scopes = [] } = useAnswer(getApiKeysScopes)
  return (
    <Action
      operation={postApiKeys}
      label="New key"
      tone="main"
      order={['name', 'scopes', 'projectIds', 'allowedIps', 'expiresAt']}
      labels={{ allowedIps: 'Only from these addresses', expiresAt: 'Ends' }}
      fixed={{ ownerId: undefined, ...(role === 'SUPERADMIN' ? {} : { kind: undefined }) }}
      initial={{ scopes: [] }}
      inputs={{
        scopes: (value, change) => (
          <PermissionChoice
            legend="Scopes"
            of={scopes.map(({ scope }) => scope)}
            value={value as readonly string[]}
            onChange={change}
          />
        ),
        projectIds: (value, change) => (
          <ProjectChoice value={(value as readonly string[] | undefined) ?? []} onChange={change} />
        ),
      }}
      secrets={({ secret, key }) => [{ label: `Secret of ${key.prefix}…`, text: secret, file: 'daybook-api-key.txt' }]}
    />
  )
}

interface ProjectChoiceProps {
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[] | undefined) => void
}

function ProjectChoice({ value, onChange }: ProjectChoiceProps) {
  const { items } = useList(getProjects, {})
  const help = useId()
  if (items.length === 0) return null
  const choose = (chosen: readonly string[]): void => onChange(chosen.length === 0 ? undefined : chosen)
  return (
    <fieldset className="field" aria-describedby={help}>
      <legend>Only in these projects</legend>
      <div className="checks">
        {items.map(({ id, name }) => (
          <label key={id} className="check">
            <input
              type="checkbox"
              checked={value.includes(id)}
              onChange={({ target }) => choose(target.checked ? [...value, id] : value.filter((other) => other !== id))}
            />
            <span>{name}</span>
          </label>
        ))}
      </div>
      <span id={help} className="field-help">
        Without a choice, the key reaches all projects that you can see.
      </span>
    </fieldset>
  )
}
