/** The containers of an application: how many there are and may be, and what they use. */
import { getApplicationsByIdScale, getApplicationsByIdStatsLive } from '#api-client/panel/applications'
import type { Application, ApplicationScale } from '#api-client/panel/schemas'
import { gibibytes } from '../../kit/bytes.ts'
import { Fact, Facts, Part } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { useAnswer } from '../../session/context.tsx'
import { cpus } from '../servers/load.tsx'
import { ApplicationPage } from './application-page.tsx'
import { ChangePart } from './change-part.tsx'
import { LiveUse } from './live-use.tsx'

export default function ApplicationContainers() {
  return (
    <ApplicationPage needs={getApplicationsByIdStatsLive}>
      {(of) => (
        <>
          <Scale of={of} />
          <LiveUse of={of} />
        </>
      )}
    </ApplicationPage>
  )
}

function Scale({ of: application }: { readonly of: Application }) {
  const answer = useAnswer(getApplicationsByIdScale, { params: { id: application.id } })
  return (
    <Part
      title="Size"
      actions={
        <ChangePart
          of={application}
          label="Scale"
          only={['replicas', 'memoryMiB', 'cpuMillis']}
          more={answer.data && <Room of={answer.data} />}
        />
      }
    >
      <Shown answer={answer}>{(scale) => <ScaleFacts of={scale} />}</Shown>
    </Part>
  )
}

const freeText = ({ free: { memoryMiB, cpuMillis } }: ApplicationScale): string =>
  [
    memoryMiB === null ? 'any memory' : gibibytes(memoryMiB),
    cpuMillis === null ? 'any number of CPUs' : cpus(cpuMillis),
  ].join(' and ')

const Room = ({ of }: { readonly of: ApplicationScale }) => (
  <p>
    Free on its server: {freeText(of)}. Of the present size, {of.max} containers have room.
  </p>
)

const ROLLOVERS: Readonly<Record<ApplicationScale['rollover'], string>> = {
  START_FIRST: 'The new ones start beside the old ones',
  STOP_FIRST: 'The old ones stop before the new ones start',
}

const ScaleFacts = ({ of }: { readonly of: ApplicationScale }) => (
  <Facts>
    <Fact label="Containers">
      {of.replicas} of at most {of.max}
    </Fact>
    <Fact label="Each may use">{`${gibibytes(of.memoryMiB)} and ${cpus(of.cpuMillis)}`}</Fact>
    <Fact label="Free on its server">{freeText(of)}</Fact>
    <Fact label="When they are replaced">{ROLLOVERS[of.rollover]}</Fact>
    {of.reasons.length > 0 && (
      <Fact label="Because">
        <ul className="plain">
          {of.reasons.map(({ code, message }) => (
            <li key={code}>{message}.</li>
          ))}
        </ul>
      </Fact>
    )}
  </Facts>
)
