/** The figures of the business: as they are, and over ninety days. */
import { useMemo } from 'react'
import { Link } from 'wouter'
import { getAdminMetricsSeries, getAdminMetricsSummary } from '#api-client/licensing/metrics'
import type { DataOf } from '#api-client/operation'
import { Fact, Figures as FigureList, Part } from '../../kit/controls.tsx'
import { money } from '../../kit/money.ts'
import { Shown } from '../../kit/page.tsx'
import { Plot } from '../../kit/plot.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswerIf, useCan } from '../../session/context.tsx'

type SeriesAnswer = DataOf<typeof getAdminMetricsSeries>
type Kind = SeriesAnswer['of']

const count = (value: number): string => value.toLocaleString()

export function Figures() {
  const can = useCan()
  const summary = useAnswerIf(true, getAdminMetricsSummary, {})
  if (!can(getAdminMetricsSummary)) return null
  return (
    <Shown answer={summary}>
      {({ licenses, subscriptions, monthlyRecurring, newCustomers30Days }) => (
        <>
          <Part title="Licenses">
            <FigureList>
              {Object.entries(licenses).map(([state, number]) => (
                <Fact key={state} label={wordOf(state)}>
                  <Link href={`/console/licenses?status=${state}`}>{count(number)}</Link>
                </Fact>
              ))}
            </FigureList>
            <CountPlot of="licenses" title="Licenses by state, 90 days" />
          </Part>
          <Part title="Money">
            <FigureList>
              {monthlyRecurring.map(({ currency, amount }) => (
                <Fact key={currency} label={`Recurring each month, ${currency}`}>
                  {money(amount, currency)}
                </Fact>
              ))}
              <Fact label="Subscriptions past due">
                <Link href="/console/subscriptions?status=PAST_DUE">{count(subscriptions.PAST_DUE)}</Link>
              </Fact>
              <Fact label="New customers in 30 days">{count(newCustomers30Days)}</Fact>
            </FigureList>
            <MoneyPlots />
          </Part>
          <Part title="Panels">
            <CountPlot of="panels" title="Panels, 90 days" labels={{ ACTIVE: 'Heard of', STALE: 'Silent' }} />
          </Part>
        </>
      )}
    </Shown>
  )
}

const useSeries = (of: Kind) => useAnswerIf(true, getAdminMetricsSeries, { query: { of } })

interface CountPlotProps {
  readonly of: Kind
  readonly title: string
  readonly labels?: Readonly<Record<string, string>>
}

const CountPlot = ({ of, title, labels }: CountPlotProps) => (
  <Shown answer={useSeries(of)}>{(answer) => <Counts answer={answer} title={title} labels={labels} />}</Shown>
)

interface CountsProps {
  readonly answer: SeriesAnswer
  readonly title: string
  readonly labels: Readonly<Record<string, string>> | undefined
}

function Counts({ answer: { points, lines }, title, labels }: CountsProps) {
  const series = useMemo(
    () => ({
      points,
      lines: lines.map(({ name, values }) => ({ label: labels?.[name] ?? wordOf(name), values })),
      format: count,
    }),
    [points, lines, labels],
  )
  return <Plot title={title} series={series} />
}

/** Each currency has a plot of its own, because amounts of two cannot be compared. */
const MoneyPlots = () => (
  <Shown answer={useSeries('recurring')}>
    {({ points, lines }) =>
      lines.map(({ name, values }) => (
        <Plot
          key={name}
          title={`Recurring each month in ${name}, 90 days`}
          series={{ points, lines: [{ label: name, values }], format: (value) => money(value, name) }}
        />
      ))
    }
  </Shown>
)
