/**
 * A plot of figures over time, with its words: a sentence for each line, the values at a point that arrow keys choose,
 * and the same as a table. What draws is loaded when the first plot is shown.
 */
import { lazy, Suspense, useId, useState } from 'react'
import { Button, Empty } from './controls.tsx'
import './plot.css'
import { RowsTable } from './rows-table.tsx'
import { dayText, isEmpty, pointText, sentenceOf } from './series.ts'
import type { Series } from './series.ts'

const PlotCanvas = lazy(() => import('./plot-canvas.tsx'))

interface PlotProps {
  /** What is plotted, such as `Licenses by state`. */
  readonly title: string
  readonly series: Series
}

export function Plot({ title, series }: PlotProps) {
  const [isTable, setIsTable] = useState(false)
  const { points, lines } = series
  const shown = { ...series, lines: lines.filter(({ values }) => values.some((value) => value !== 0)) }
  if (points.length === 0 || isEmpty(series))
    return <Empty>{title}: there is nothing to show yet. Every figure of this time is 0.</Empty>
  return (
    <figure className="plot" aria-label={title}>
      <figcaption>
        <Legend series={shown} />
        <Button tone="quiet" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
          As table
        </Button>
      </figcaption>
      {isTable ? <PlotTable title={title} series={shown} /> : <Drawn title={title} series={shown} />}
    </figure>
  )
}

/** Each line with its mark. The colours and dashes of the marks are those of the plot. */
const Legend = ({ series }: { readonly series: Series }) => (
  <ul>
    {series.lines.map((line) => (
      <li key={line.label}>
        <svg className="plot-mark" viewBox="0 0 24 8" aria-hidden="true">
          <line x1="0" y1="4" x2="24" y2="4" />
        </svg>
        <span>{sentenceOf(line, series)}</span>
      </li>
    ))}
  </ul>
)

/** The native range input brings arrow keys, Home, End and touch. */
function Drawn({ title, series }: PlotProps) {
  const id = useId()
  const [chosen, setChosen] = useState<number>()
  const last = series.points.length - 1
  const nth = Math.min(chosen ?? last, last)
  return (
    <div className="plot-drawn">
      <Suspense fallback={<div className="plot-frame" />}>
        <PlotCanvas series={series} nth={chosen === undefined ? undefined : nth} onPoint={setChosen} />
      </Suspense>
      {last > 0 && (
        <>
          <label className="only-read" htmlFor={id}>
            Point of {title}
          </label>
          <input
            id={id}
            type="range"
            min={0}
            max={last}
            value={nth}
            aria-valuetext={dayText(series.points[nth]!)}
            onChange={({ target }) => setChosen(Number(target.value))}
          />
        </>
      )}
      <output aria-live="polite">{pointText(series, nth)}</output>
    </div>
  )
}

/** The newest first. */
const PlotTable = ({ title, series: { points, lines, format } }: PlotProps) => (
  <RowsTable
    caption={title}
    rows={points.map((day, nth) => ({ day, nth })).toReversed()}
    keyOf={({ day }) => day}
    columns={[
      { label: 'Day', of: ({ day }) => <time dateTime={day}>{dayText(day)}</time> },
      ...lines.map(({ label, values }) => ({
        label,
        isNumber: true,
        of: ({ nth }: { readonly nth: number }) => format(values[nth] ?? 0),
      })),
    ]}
  />
)
