/** Adds a file to a draft. The browser computes its SHA-256, so the service refuses what was damaged on the way. */
import { useId, useState } from 'react'
import type { SubmitEvent } from 'react'
import { postAdminVersionsByIdArtifacts } from '#api-client/licensing/versions'
import { bytes } from '../../kit/bytes.ts'
import { Button } from '../../kit/controls.tsx'
import { tell } from '../../kit/overlay.tsx'
import { RefusalNotice } from '../../kit/refusal.tsx'
import { useCan } from '../../session/context.tsx'
import { Cancelled } from '../../session/proof.tsx'
import { useUpload } from '../../session/upload.ts'
import { sha256Of } from './sha256.ts'

/** What is being done with the file; a number is the share that has been sent. */
type Stage = 'digest' | number | undefined

export function UploadFile({ releaseId }: { readonly releaseId: string }) {
  const id = useId()
  const can = useCan()
  const upload = useUpload()
  const [file, setFile] = useState<File>()
  const [stage, setStage] = useState<Stage>()
  const [sha256, setSha256] = useState<string>()
  const [refused, setRefused] = useState<Error>()
  if (!can(postAdminVersionsByIdArtifacts)) return null

  async function send(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    if (!file || stage !== undefined) return
    setRefused(undefined)
    try {
      setStage('digest')
      const digest = await sha256Of(file)
      setSha256(digest)
      const query = { name: file.name, ...(digest === undefined ? {} : { sha256: digest }) }
      await upload(postAdminVersionsByIdArtifacts, { params: { id: releaseId }, query, body: file }, setStage)
      tell(`${file.name} is added and signed`)
      form.reset()
      setFile(undefined)
      setSha256(undefined)
    } catch (error) {
      if (!(error instanceof Cancelled)) setRefused(error as Error)
    } finally {
      setStage(undefined)
    }
  }

  return (
    <form className="stack narrow" onSubmit={(event) => void send(event)}>
      <div className="field">
        <label htmlFor={id}>Add a file</label>
        <input id={id} type="file" className="input" required onChange={({ target }) => setFile(target.files?.[0])} />
        {sha256 !== undefined && (
          <span className="field-help">
            SHA-256 in this browser: <code>{sha256}</code>
          </span>
        )}
      </div>
      {stage !== undefined && <Progress stage={stage} size={file?.size ?? 0} />}
      {refused && <RefusalNotice of={refused} />}
      <div className="row">
        <Button type="submit" isBusy={stage !== undefined}>
          Upload and sign
        </Button>
      </div>
    </form>
  )
}

function Progress({ stage, size }: { readonly stage: 'digest' | number; readonly size: number }) {
  const id = useId()
  const text = stage === 'digest' ? 'Computing the SHA-256' : `${bytes(stage * size)} of ${bytes(size)} sent`
  return (
    <div className="field">
      <label htmlFor={id}>{text}</label>
      <progress id={id} className="progress" max={1} value={stage === 'digest' ? undefined : stage} />
    </div>
  )
}
