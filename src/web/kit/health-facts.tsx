/** The counters of a service's own processing. */
import { Fact, Facts, Notice, ToneText } from './controls.tsx'

interface Health {
  readonly status: 'ok' | 'degraded'
  readonly concern: string | null
  readonly position: number
  readonly readModels: { readonly total: number; readonly behind: number; readonly parked: number }
  readonly work: { readonly waiting: number; readonly failing: number }
  readonly database: { readonly bytes: number }
  readonly process: { readonly uptimeSeconds: number; readonly memoryBytes: number }
}

const MIB = 1_048_576
const HOUR_SECONDS = 3_600

export const HealthFacts = ({ of }: { readonly of: Health }) => (
  <>
    {of.concern && (
      <Notice tone="warn">
        <p>{of.concern}</p>
      </Notice>
    )}
    <Facts>
      <Fact label="State">
        <ToneText tone={of.status === 'ok' ? 'good' : 'warn'}>
          {of.status === 'ok' ? 'All is well' : 'Degraded'}
        </ToneText>
      </Fact>
      <Fact label="Newest event">#{of.position}</Fact>
      <Fact label="Read models">
        {of.readModels.total}, {of.readModels.behind} behind, {of.readModels.parked} events parked
      </Fact>
      <Fact label="Work">
        {of.work.waiting} waiting, {of.work.failing} failing
      </Fact>
      <Fact label="Database">{Math.round(of.database.bytes / MIB)} MiB</Fact>
      <Fact label="Process">
        {Math.round(of.process.memoryBytes / MIB)} MiB, up for {(of.process.uptimeSeconds / HOUR_SECONDS).toFixed(1)} h
      </Fact>
    </Facts>
  </>
)
