/** A worker is killed at every other query. No job is lost, and no effect happens twice. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testDatabase } from '#test/support/database'
import { daybook } from '#test/support/processes/process'
import { scratchPath } from '#test/support/scratch'
import { echo, waitUntil, jobFixture } from '../../support/kernel/job-fixture.ts'

const PROGRAM = new URL('../../support/kernel/work-process.ts', import.meta.url).pathname
const KILLS = 25

test(`${KILLS} kills at ${KILLS} points`, { timeout: 400_000 }, async () => {
  const database = await testDatabase()
  const file = scratchPath()
  const here = jobFixture(database.url, { clock: { now: () => new Date() }, isShared: true })
  // The reaction must be known before the first event; this process does not run it.
  const idle = await here.started({ reactions: [echo] })
  await idle.stop(1_000)
  await here.pool.query("INSERT INTO telemetry.work_reaction (name, position) VALUES ('tell', 0)")
  const lit: string[] = []
  const set: string[] = []
  for (let kill = 1; kill <= KILLS; kill += 1) {
    for (let nth = 0; nth < 3; nth += 1) {
      lit.push(randomUUID())
      await here.light(lit.at(-1)!)
    }
    set.push(randomUUID())
    await here.set(set.at(-1)!, new Date())
    // The first queries are those of the start. A worker with more jobs is killed later.
    const point = [String(4 + kill * 5), kill % 2 === 0 ? 'before' : 'after']
    const victim = daybook([database.url, file, ...point], {}, undefined, PROGRAM)
    expect(await victim.ended()).toMatchObject({ signal: 'SIGKILL', complained: '' })
    if (kill % 5 === 0) await here.flush()
  }
  const last = daybook([database.url, file, '0', 'never'], {}, undefined, PROGRAM)
  await last.until('started')
  await waitUntil(async () => (await here.pending()).length === 0 && (await here.alarms()).length === 0, 60_000)
  await last.stop('SIGKILL')

  const echoed = (await here.recorded('LampEchoed')).map(({ lampId }) => lampId)
  expect(echoed.toSorted()).toEqual(lit.toSorted())
  expect((await here.recorded('LampWentOut')).map(({ lampId }) => lampId).toSorted()).toEqual(set.toSorted())
  // The database cannot undo an outside effect. It happens twice if the kill fell between the effect and its
  // record, and never more often.
  const told = readFileSync(file, 'utf8').trim().split('\n')
  expect(new Set(told).size).toBe(lit.length)
  expect(told.length - lit.length).toBeLessThanOrEqual(KILLS)
  await here.close()
  await database.drop()
})
