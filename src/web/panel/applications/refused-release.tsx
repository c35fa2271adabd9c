/** The application is there, and the rest was refused: what was typed stays, to be mended. */
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Application } from '#api-client/panel/schemas'
import { Button } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/overlay.tsx'
import { RefusalNotice } from '../../kit/refusal.tsx'
import { FirstReleaseFields, useFirstRelease } from './first-release.tsx'
import type { FirstRelease } from './first-release.tsx'

interface RefusedReleaseProps {
  readonly of: Application
  readonly first: FirstRelease
  readonly why: Error
}

export function RefusedRelease({ of: application, first, why }: RefusedReleaseProps) {
  const [, go] = useLocation()
  const release = useFirstRelease()
  const [value, setValue] = useState(first)
  const [refused, setRefused] = useState(why)
  const [isBusy, setBusy] = useState(false)
  const leave = (): void => go(`/applications/${application.id}`)

  async function again(): Promise<void> {
    setBusy(true)
    try {
      go(await release(application, value))
    } catch (error) {
      setRefused(error as Error)
      setBusy(false)
    }
  }

  return (
    <Dialog title={`${application.name} is created, and does not run yet`} isOpen onClose={leave} isKept>
      <form
        className="stack"
        aria-busy={isBusy}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void again()
        }}
      >
        <RefusalNotice of={refused} />
        <FirstReleaseFields
          kind={application.source.kind}
          environmentId={application.environmentId}
          value={value}
          onChange={setValue}
        />
        <div className="dialog-buttons">
          <Button onClick={leave}>Leave it as it is</Button>
          <Button type="submit" tone="main" isBusy={isBusy}>
            Try again
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
