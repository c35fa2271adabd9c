/** The steps of a deployment as a timeline: what was done, how long it took, and what is under way. */
import { ToneText } from '../../kit/controls.tsx'
import { LineTime } from '../../kit/time.tsx'
import type { Tone } from '../../kit/words.ts'
import type { Step, StepState } from './deployment-steps.ts'
import { durationBetween } from './deployment-words.ts'

const TONES: Readonly<Record<StepState, Tone>> = { done: 'good', now: 'warn', failed: 'bad', ended: 'quiet' }

export const Steps = ({ of }: { readonly of: readonly Step[] }) => (
  <ol className="plain stack sentences" aria-label="Steps of the deployment">
    {of.map((step) => (
      <li key={step.name} aria-current={step.state === 'now' ? 'step' : undefined}>
        <ToneText tone={TONES[step.state]}>{step.name}</ToneText>
        <div className="small soft">
          <LineTime at={step.at} />
          {step.until !== undefined && `, ${durationBetween(step.at, step.until)}`}
          {step.state === 'now' && ', under way'}
        </div>
      </li>
    ))}
  </ol>
)
