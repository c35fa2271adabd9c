import { getAdminLicense } from '#api-client/panel/license'
import { Button } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { useAnswer } from '../../session/context.tsx'
import { LicenseFacts } from '../license/facts.tsx'
import { SetLicense } from '../license/set-license.tsx'
import type { StepProps } from './setup.tsx'

export function LicenseStep({ onDone }: StepProps) {
  const license = useAnswer(getAdminLicense)
  return (
    <Shown answer={license}>
      {(data) => (
        <>
          <p>This is the license as it is now. It can be replaced later, too.</p>
          <div className="narrow">
            <LicenseFacts license={data} />
          </div>
          <div className="row">
            <Button tone="main" onClick={onDone}>
              Continue
            </Button>
            <SetLicense hasOne={data.keyId !== null} />
          </div>
        </>
      )}
    </Shown>
  )
}
