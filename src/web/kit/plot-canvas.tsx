/** The drawing of a plot, by uPlot. Colours come from the styles, so they follow the theme; nothing moves by itself. */
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Series } from './series.ts'

const HEIGHT = 220
const NARROW = 480
/** Those of plot.css, and as often repeated. */
const DASHES: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 2]]
const LABEL_WIDTH = 7.5
const LABEL_GAP = 16
const TICK: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', timeZone: 'UTC' }

interface PlotCanvasProps {
  readonly series: Series
  /** The marked point; undefined: none. */
  readonly nth: number | undefined
  readonly onPoint: (nth: number) => void
}

export default function PlotCanvas({ series, nth, onPoint }: PlotCanvasProps) {
  const frame = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot>(undefined)
  useEffect(() => {
    const place = frame.current!
    const draw = (): void => {
      plot.current?.destroy()
      plot.current = new UPlot(optionsOf(series, place, onPoint), dataOf(series), place)
    }
    draw()
    const resized = new ResizeObserver(() => plot.current?.setSize({ width: place.clientWidth, height: HEIGHT }))
    resized.observe(place)
    const endTheme = onTheme(draw)
    return () => {
      endTheme()
      resized.disconnect()
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [series, onPoint])
  useEffect(() => mark(plot.current, nth), [nth])
  return <div ref={frame} className="plot-frame" aria-hidden="true" />
}

/** Shows the cursor at a point, as the pointer does. */
function mark(plot: UPlot | undefined, nth: number | undefined): void {
  const seconds = nth === undefined ? undefined : plot?.data[0][nth]
  if (!plot || seconds === undefined || plot.cursor.idx === nth) return
  plot.setCursor({ left: plot.valToPos(seconds, 'x'), top: 0 }, false)
}

/** A theme is chosen by the system, or on the root element. */
function onTheme(changed: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const chosen = new MutationObserver(changed)
  system.addEventListener('change', changed)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    system.removeEventListener('change', changed)
    chosen.disconnect()
  }
}

const dataOf = ({ points, lines }: Series): UPlot.AlignedData => [
  points.map((day) => Date.parse(day) / 1_000),
  ...lines.map(({ values }) => [...values]),
]

/** The colours of the marks in the legend, which the styles have resolved for the theme. */
const coloursOf = (place: HTMLElement): readonly string[] =>
  [...(place.closest('figure')?.querySelectorAll('.plot-mark') ?? [])].map((each) => getComputedStyle(each).color)

function optionsOf(series: Series, place: HTMLElement, onPoint: (nth: number) => void): UPlot.Options {
  const { color: ink, borderTopColor: rule, fontFamily } = getComputedStyle(place)
  const colours = coloursOf(place)
  const axis = { stroke: ink, font: `12px ${fontFamily}`, grid: { stroke: rule, width: 1 }, ticks: { show: false } }
  const most = Math.max(...series.lines.flatMap(({ values }) => values))
  return {
    width: place.clientWidth,
    height: HEIGHT,
    padding: [8, 24, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { y: { range: (_plot, _least, highest) => [0, UPlot.rangeNum(0, highest, 0.1, true)[1] ?? 1] } },
    axes: [
      {
        ...axis,
        size: 30,
        space: place.clientWidth < NARROW ? 70 : 90,
        values: (_plot, splits) => splits.map((at) => new Date(at * 1_000).toLocaleDateString(undefined, TICK)),
      },
      {
        ...axis,
        incrs: [1, 2, 5].flatMap((step) => POWERS.map((power) => step * power)).toSorted((one, other) => one - other),
        size: series.format(most).length * LABEL_WIDTH + LABEL_GAP,
        values: (_plot, splits) => splits.map((value) => series.format(value)),
      },
    ],
    tzDate: (at) => UPlot.tzDate(new Date(at * 1_000), 'Etc/UTC'),
    series: [
      {},
      ...series.lines.map(({ label }, nth) => ({
        label,
        stroke: colours[nth] ?? ink,
        width: 2,
        dash: [...(DASHES[nth % DASHES.length] ?? [])],
        points: { show: false },
      })),
    ],
    hooks: {
      setCursor: [({ cursor: { idx } }) => idx !== null && idx !== undefined && onPoint(idx)],
    },
  }
}

/** Values are whole numbers. */
const POWERS = Array.from({ length: 13 }, (_none, power) => 10 ** power)
