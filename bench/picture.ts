/** One small chart for each test, three in a row. The bars of one chart share a scale. Daybook's are green. */
import { CONTESTANTS } from './contestant.ts'
import { whole } from './report.ts'
import type { Result } from './results.ts'
import type { Test } from './tests.ts'

const COLUMNS = 3
const PANEL = { width: 300, gap: 24, title: 30, bar: 18, step: 24, name: 82, value: 62 }
const MARGIN = 24
const HEAD = 84
/**
 * The background has a color of its own, because the page may be dark or light independent of the reader's
 * system.
 */
const STYLE = `
text { fill: #1f2933 }
.faint { fill: #5c6b7a }
.paper { fill: #ffffff; stroke: #d7dee5 }
.ours { fill: #0b6e4f }
.theirs { fill: #a9b8c6 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .faint { fill: #9aa7b4 }
  .paper { fill: #0d1117; stroke: #30363d }
  .ours { fill: #2ea97d }
  .theirs { fill: #4b5866 }
}
`

const text = (x: number, y: number, words: string, more = ''): string =>
  `<text x="${x}" y="${y}"${more}>${escaped(words)}</text>`

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

function panel(test: Test, results: readonly Result[], x: number, y: number): string {
  const own = CONTESTANTS.flatMap((name) =>
    results.filter((each) => each.test === test.name && each.contestant === name),
  )
  const most = Math.max(...own.map(({ opsPerSecond }) => opsPerSecond))
  const room = PANEL.width - PANEL.name - PANEL.value
  const bars = own.map(({ contestant, opsPerSecond }, nth) => {
    const top = y + PANEL.title + nth * PANEL.step
    const length = Math.max(1, Math.round((opsPerSecond / most) * room))
    const whose = contestant === 'daybook' ? 'ours' : 'theirs'
    const weight = contestant === 'daybook' ? ' font-weight="700"' : ''
    return [
      text(x, top + 13, contestant, weight),
      `<rect x="${x + PANEL.name}" y="${top}" width="${length}" height="${PANEL.bar}" rx="3" class="${whose}"/>`,
      text(x + PANEL.name + length + 5, top + 13, whole(opsPerSecond), weight),
    ].join('')
  })
  return [text(x, y + 14, test.does, ' font-weight="600"'), ...bars].join('\n')
}

/** @param captions lines under the title: what was measured, and on which machine */
export function picture(tests: readonly Test[], results: readonly Result[], captions: readonly string[]): string {
  const rows = Array.from({ length: Math.ceil(tests.length / COLUMNS) }, (_row, nth) =>
    tests.slice(nth * COLUMNS, (nth + 1) * COLUMNS),
  )
  let top = HEAD
  const panels = rows.flatMap((row) => {
    const y = top
    const most = Math.max(...row.map(({ contestants }) => contestants.length))
    top += PANEL.title + most * PANEL.step + PANEL.gap
    return row.map((test, nth) => panel(test, results, MARGIN + nth * (PANEL.width + PANEL.gap), y))
  })
  const width = 2 * MARGIN + COLUMNS * PANEL.width + (COLUMNS - 1) * PANEL.gap
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${top}" width="${width}" height="${top}" role="img" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>Daybook's event store beside its peers, per second</title>`,
    `<style>${STYLE}</style>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${top - 1}" rx="8" class="paper"/>`,
    text(MARGIN, 30, 'Per second; longer is faster', ' font-size="16" font-weight="700"'),
    ...captions.map((caption, line) => text(MARGIN, 50 + 17 * line, caption, ' class="faint"')),
    ...panels,
    '</svg>\n',
  ].join('\n')
}
