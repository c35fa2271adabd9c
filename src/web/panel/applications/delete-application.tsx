/** The end of an application, with the question what becomes of its volumes. */
import { useId, useState } from 'react'
import { deleteApplicationsById } from '#api-client/panel/applications'
import type { Application } from '#api-client/panel/schemas'
import { ProjectAction } from '../projects/rights.tsx'

export function DeleteApplication({ of: { id, name, volumes } }: { readonly of: Application }) {
  const [isWhole, setWhole] = useState(false)
  return (
    <ProjectAction
      operation={deleteApplicationsById}
      input={{ params: { id }, query: { deleteVolumes: isWhole ? 'true' : 'false' } }}
      label="Delete"
      title={`Delete ${name}`}
      tone="bad"
      about={
        <>
          <p>Its containers stop, and its images, variables and deployments are deleted, for good.</p>
          {volumes.length > 0 && <VolumesQuestion isWhole={isWhole} onChange={setWhole} />}
        </>
      }
      confirm={name}
      done="The application is deleted"
    />
  )
}

interface VolumesQuestionProps {
  readonly isWhole: boolean
  readonly onChange: (isWhole: boolean) => void
}

function VolumesQuestion({ isWhole, onChange }: VolumesQuestionProps) {
  const group = useId()
  return (
    <fieldset className="field">
      <legend>Its volumes</legend>
      <label className="check">
        <input type="radio" name={group} checked={!isWhole} onChange={() => onChange(false)} />
        <span>stay on the server, with what is in them</span>
      </label>
      <label className="check">
        <input type="radio" name={group} checked={isWhole} onChange={() => onChange(true)} />
        <span>are deleted with what is in them, for good</span>
      </label>
    </fieldset>
  )
}
