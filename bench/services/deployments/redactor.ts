/** What it costs to take secrets out of lines: those of a container, with and without them, in turns. */
import { randomBytes } from 'node:crypto'
import { median } from '../../../scripts/figures/spread.ts'
import { logLines } from '../../../src/agent/applications/log-lines.ts'

const ROUNDS = 9
const MOMENT = '2026-01-01T00:00:00.000000000Z'

export interface RedactorFigures {
  /** Lines a second: medians. */
  readonly redacted: number
  readonly plain: number
  /** The median of those of each round. */
  readonly ratio: number
}

/** As an application has them: an address with a password, a key of several lines, and tokens. */
function secretsOfApplication(): string[] {
  const key = randomBytes(1_200)
    .toString('base64')
    .match(/.{1,64}/g)!
  return [
    'postgres://shop:a-password-of-it@database:5432/shop',
    ['-----BEGIN PRIVATE KEY-----', ...key, '-----END PRIVATE KEY-----'].join('\n'),
    ...Array.from({ length: 20 }, () => randomBytes(24).toString('base64url')),
  ]
}

export function measureRedactor(lines: number): RedactorFigures {
  const frames = Array.from({ length: lines }, (_, nth) => ({
    of: 'OUT' as const,
    bytes: Buffer.from(
      `${MOMENT} line ${nth}: GET /paths/of/things?and=values of what an application says, ${nth * 7_919}\n`,
    ),
  }))
  /** Lines a second. */
  function rate(hidden: readonly string[]): number {
    const log = logLines(hidden)
    const begunMs = performance.now()
    let seen = 0
    for (const frame of frames) seen += log.push(frame).length
    seen += log.end().length
    if (seen !== lines) throw new Error(`${seen} of ${lines} lines were seen`)
    return (lines * 1_000) / (performance.now() - begunMs)
  }
  const secrets = secretsOfApplication()
  // The first round warms up both.
  const rounds = Array.from({ length: ROUNDS + 1 }, () => ({ plain: rate([]), redacted: rate(secrets) })).slice(1)
  return {
    redacted: median(rounds.map(({ redacted }) => redacted)),
    plain: median(rounds.map(({ plain }) => plain)),
    ratio: median(rounds.map(({ redacted, plain }) => redacted / plain)),
  }
}
