/** What a project has had and done, day by day. */
import { useSearchParams } from 'wouter'
import { getProjectsByIdUsageHistory } from '#api-client/panel/projects'
import type { ProjectUsageDay } from '#api-client/panel/schemas'
import { Part } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { Plot } from '../../kit/plot.tsx'
import type { Series } from '../../kit/series.ts'
import { useAnswer } from '../../session/context.tsx'
import { ChoiceField } from '../applications/choice-field.tsx'
import { ProjectPage } from './project-page.tsx'

export default function ProjectUsage() {
  return <ProjectPage needs={getProjectsByIdUsageHistory}>{({ id }) => <Usage id={id} />}</ProjectPage>
}

const PERIODS = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'a year'],
] as const
const DAY_MS = 86_400_000
const DAY_LENGTH = 'yyyy-mm-dd'.length

/** The day in UTC that many days ago, today included. */
const firstOf = (days: number): string => new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, DAY_LENGTH)

function Usage({ id }: { readonly id: string }) {
  const [search, setSearch] = useSearchParams()
  const [period] = PERIODS.find(([days]) => days === search.get('days')) ?? PERIODS[0]
  const answer = useAnswer(getProjectsByIdUsageHistory, { params: { id }, query: { from: firstOf(Number(period)) } })
  return (
    <>
      <search className="filters">
        <ChoiceField
          label="Period"
          value={period}
          options={PERIODS}
          onChange={(days) => setSearch(days === PERIODS[0][0] ? {} : { days }, { replace: true })}
        />
      </search>
      <Shown answer={answer}>{(days) => <Plots of={days} />}</Shown>
    </>
  )
}

const Plots = ({ of }: { readonly of: readonly ProjectUsageDay[] }) => (
  <>
    <Part title="Deployments">
      <Plot
        title="Deployments by day"
        series={seriesOf(of, { 'Asked for': 'deployments', Failed: 'failed' }, wholeNumber)}
      />
    </Part>
    <Part title="Time of builds">
      <Plot title="Minutes of builds by day" series={seriesOf(of, { Builds: 'buildSeconds' }, minutes)} />
    </Part>
    <Part title="Applications and members">
      <Plot
        title="Applications and members at the end of the day"
        series={seriesOf(of, { Applications: 'applications', Members: 'members' }, wholeNumber)}
      />
    </Part>
  </>
)

const wholeNumber = (value: number): string => value.toLocaleString()
const SECONDS_PER_MINUTE = 60
const minutes = (seconds: number): string =>
  `${(seconds / SECONDS_PER_MINUTE).toLocaleString(undefined, { maximumFractionDigits: 1 })} min`

type Figure = Exclude<keyof ProjectUsageDay, 'day'>

const seriesOf = (
  days: readonly ProjectUsageDay[],
  figures: Readonly<Record<string, Figure>>,
  format: Series['format'],
): Series => ({
  points: days.map(({ day }) => day),
  lines: Object.entries(figures).map(([label, figure]) => ({ label, values: days.map((each) => each[figure]) })),
  format,
})
