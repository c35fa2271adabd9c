/**
 * `npm run drills [-- --quick] [--only NAME]… [--break NAME]… [--teeth]`: breaks what Daybook stands on and counts what it had
 * acknowledged. Fails when anything is lost or doubled. `--break` breaks the system as well, so that the drill must fail; `--teeth`
 * does that with each drill and fails when one does not notice.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { scratchBase } from '../test/scratch-base.ts'
import { failed, told } from './drill.ts'
import type { Drill } from './drill.ts'
import { clockSteps } from './clock-steps.ts'
import { commitDelays } from './commit-delays.ts'
import { diskFull, walFull } from './disk-full.ts'
import { frozenPostgres } from './frozen-postgres.ts'
import { killPostgres } from './kill-postgres.ts'
import { killProjector } from './kill-projector.ts'
import { killService } from './kill-service.ts'
import { lostAnswer } from './lost-answer.ts'
import { powerCut } from './power-cut.ts'

const DRILLS: readonly Drill[] = [
  killService,
  killProjector,
  killPostgres,
  powerCut,
  diskFull,
  walFull,
  frozenPostgres,
  lostAnswer,
  clockSteps,
  commitDelays,
]
const WITHIN_MS = 300_000

const { values: asked } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    teeth: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    break: { type: 'string', multiple: true, default: [] },
  },
})

type Verdict = 'holds' | 'FAILS' | 'SKIPPED'

async function inDirectory(drill: Drill, isBroken: boolean): Promise<Verdict> {
  const missing = drill.missing?.()
  if (missing !== undefined) {
    console.log(`SKIPPED ${drill.name}: ${missing}`)
    return 'SKIPPED'
  }
  const directory = join(scratchBase, `daybook-drill-${process.pid}-${randomBytes(4).toString('hex')}`)
  mkdirSync(directory, { mode: 0o711 })
  console.log(`\n== ${drill.name}: ${isBroken ? `broken on purpose: ${drill.breaks}` : drill.does}`)
  const began = performance.now()
  try {
    const tally = await within(drill.run({ directory, isQuick: asked.quick, isBroken }))
    const verdict = failed(tally) ? 'FAILS' : 'holds'
    console.log(`${verdict.padEnd(5)} ${told(tally)}; ${Math.round((performance.now() - began) / 1_000)} s`)
    return verdict
  } catch (error) {
    console.log(`FAILS ${error instanceof Error ? error.stack : String(error)}`)
    return 'FAILS'
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

function within<Result>(work: Promise<Result>): Promise<Result> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`Not done within ${WITHIN_MS / 1_000} s`)), WITHIN_MS).unref()
  })
  return Promise.race([work, late])
}

function chosen(names: readonly string[]): readonly Drill[] {
  const unknown = names.find((name) => !DRILLS.some((drill) => drill.name === name))
  if (unknown !== undefined)
    throw new Error(`There is no drill called ${unknown}, only ${DRILLS.map(({ name }) => name).join(', ')}`)
  return names.length === 0 ? DRILLS : DRILLS.filter(({ name }) => names.includes(name))
}

const drills = chosen([...asked.only, ...asked.break])
const verdicts = new Map<string, Verdict>()
for (const drill of drills)
  verdicts.set(drill.name, await inDirectory(drill, asked.teeth || asked.break.includes(drill.name)))

const count = (verdict: Verdict): number => [...verdicts.values()].filter((each) => each === verdict).length
const seconds = Math.round(performance.now() / 1_000)
console.log(`\n${count('holds')} hold, ${count('FAILS')} fail, ${count('SKIPPED')} skipped, ${seconds} s`)
if (asked.teeth)
  console.log(count('holds') === 0 ? 'Every broken system was noticed.' : 'A broken system was not noticed!')
process.exit((asked.teeth ? count('holds') : count('FAILS')) > 0 ? 1 : 0)
