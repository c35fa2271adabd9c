/**
 * `npm run drills [-- --quick] [--only NAME]… [--break NAME]… [--teeth]`: breaks what Daybook depends on, and
 * counts what it acknowledged. Fails if anything is lost or doubled. `--break` breaks Daybook as well, so
 * that the drill must fail. `--teeth` does that with each drill and fails if one does not notice.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { databaseBase, scratchBase } from '../test/support/scratch-base.ts'
import { chaos } from './chaos.ts'
import { clockSteps } from './clock-steps.ts'
import { commitDelays } from './commit-delays.ts'
import { compose } from './compose.ts'
import { controlPlaneDead } from './control-plane-dead.ts'
import { deploymentKills } from './deployment-kills.ts'
import { diskFull, walFull } from './disk-full.ts'
import { breaksOf, failed, told } from './drill.ts'
import type { Drill } from './drill.ts'
import { evenAnswers } from './even-answers.ts'
import { frozenPostgres } from './frozen-postgres.ts'
import { halfSent } from './half-sent.ts'
import { herd } from './herd.ts'
import { keyCompromise } from './key-compromise.ts'
import { keyRotation } from './key-rotation.ts'
import { killPostgres } from './kill-postgres.ts'
import { killProjector } from './kill-projector.ts'
import { killService } from './kill-service.ts'
import { lane } from './lane.ts'
import { leftover } from './leftovers.ts'
import { lostAnswer } from './lost-answer.ts'
import { pipelining } from './pipelining.ts'
import { powerCut } from './power-cut.ts'
import { rateLimits } from './rate-limits.ts'
import { rebuildMillion } from './rebuild-million.ts'
import { rollOvers } from './roll-overs.ts'
import { signInStorm } from './sign-in-storm.ts'
import { systemdUnits } from './systemd-units.ts'

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
  rebuildMillion,
  keyRotation,
  keyCompromise,
  herd,
  chaos,
  evenAnswers,
  rateLimits,
  halfSent,
  pipelining,
  signInStorm,
  compose,
  rollOvers,
  deploymentKills,
  lane,
  controlPlaneDead,
  systemdUnits,
]
const WITHIN_MS = 900_000

const { values: asked } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    teeth: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    break: { type: 'string', multiple: true, default: [] },
  },
})

if (process.platform !== 'linux') throw new Error('The drills need Linux, for its signals, /proc and mounts')

/** A drill that broke off proves nothing: neither that the system holds, nor that a broken one is noticed. */
type Verdict = 'holds' | 'FAILS' | 'BREAKS OFF'

/** @param breakNumber undefined: the system is as it is */
async function inDirectory(drill: Drill, breakNumber: number | undefined): Promise<Verdict> {
  const isBroken = breakNumber !== undefined
  const base = drill.isInMemory ? databaseBase : scratchBase
  const directory = join(base, `daybook-drill-${process.pid}-${randomBytes(4).toString('hex')}`)
  mkdirSync(directory, { mode: 0o711 })
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  const cleaned = leftover(remove)
  console.log(`\n== ${drill.name}: ${isBroken ? `broken on purpose: ${breaksOf(drill)[breakNumber]}` : drill.does}`)
  const began = performance.now()
  try {
    const tally = await within(drill.run({ directory, isQuick: asked.quick, isBroken, breakNumber: breakNumber ?? 0 }))
    const verdict = failed(tally) ? 'FAILS' : 'holds'
    console.log(`${verdict.padEnd(5)} ${told(tally)}; ${Math.round((performance.now() - began) / 1_000)} s`)
    return verdict
  } catch (error) {
    console.log(`BREAKS OFF ${error instanceof Error ? error.stack : String(error)}`)
    return 'BREAKS OFF'
  } finally {
    cleaned()
    remove()
  }
}

/** A drill that hangs ends the run, because its effect on the machine is unknown. */
async function within<Result>(work: Promise<Result>): Promise<Result> {
  const late = setTimeout(() => {
    console.log(`FAILS: not finished within ${WITHIN_MS / 1_000} s`)
    process.exit(1)
  }, WITHIN_MS)
  try {
    return await work
  } finally {
    clearTimeout(late)
  }
}

function chosen(names: readonly string[]): readonly Drill[] {
  const unknown = names.find((name) => !DRILLS.some((drill) => drill.name === name))
  if (unknown !== undefined)
    throw new Error(`There is no drill called ${unknown}. Choose one of ${DRILLS.map(({ name }) => name).join(', ')}`)
  return names.length === 0 ? DRILLS : DRILLS.filter(({ name }) => names.includes(name))
}

const drills = chosen([...asked.only, ...asked.break])
const verdicts: Verdict[] = []
const skipped: string[] = []
for (const drill of drills) {
  const missing = drill.missing?.()
  if (missing !== undefined) skipped.push(`SKIPPED ${drill.name}: ${missing}`)
  else if (asked.teeth || asked.break.includes(drill.name))
    for (const nth of breaksOf(drill).keys()) verdicts.push(await inDirectory(drill, nth))
  else verdicts.push(await inDirectory(drill, undefined))
}

const count = (verdict: Verdict): number => verdicts.filter((each) => each === verdict).length
const seconds = Math.round(performance.now() / 1_000)
for (const line of skipped) console.log(`\n!! ${line}`)
console.log(
  `\n${count('holds')} hold, ${count('FAILS')} fail, ${count('BREAKS OFF')} broke off, ${skipped.length} skipped, ${seconds} s`,
)
const isRight = count(asked.teeth ? 'FAILS' : 'holds') === verdicts.length
if (asked.teeth) console.log(isRight ? 'Every broken system was noticed.' : 'Not every broken system was noticed!')
process.exit(isRight ? 0 : 1)
