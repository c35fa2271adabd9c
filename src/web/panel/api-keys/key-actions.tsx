import { deleteApiKeysById, postApiKeysByIdRevoke } from '#api-client/panel/api-keys'
import { Action } from '../../kit/action.tsx'

interface KeyActionsProps {
  readonly of: { readonly id: string; readonly name: string; readonly status: string }
}

export function KeyActions({ of, of: { id, name } }: KeyActionsProps) {
  const input = { params: { id } }
  return (
    <div className="row">
      <Action
        operation={postApiKeysByIdRevoke}
        input={input}
        label="Revoke"
        title={`Revoke ${name}`}
        tone="bad"
        about={<p>A program that uses this key is refused at once. The key stays in this list.</p>}
        record={of}
        done="The key is revoked"
      />
      <Action
        operation={deleteApiKeysById}
        input={input}
        label="Delete"
        title={`Delete ${name}`}
        tone="bad"
        about={<p>The key stops working at once and leaves this list. The audit log keeps it.</p>}
        done="The key is deleted"
      />
    </div>
  )
}
