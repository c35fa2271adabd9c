/**
 * Runs tests of the project in its working directory when its parent says so, for as long as the parent
 * lives. A new start that loads every module would take longer than most tests. The tests of each run still
 * have a process of their own.
 */
import { resolve } from 'node:path'
import { createVitest } from 'vitest/node'
import type { TestCase } from 'vitest/node'
import type { Ran, Wanted } from './runs.ts'

const vitest = await createVitest({
  root: process.cwd(),
  watch: false,
  cache: false,
  fsModuleCachePath: resolve('.modules'),
  reporters: [{ onTestCaseResult: (test: TestCase) => stopAtFailure(test) }],
})

/** The one that runs each file in a process of its own: a process that is kept would keep the modules of another run. */
const project = vitest.getProjectByName('own')

async function run({ test, named, changed }: Wanted): Promise<Ran> {
  for (const file of changed) vitest.invalidateFile(resolve(file))
  const pattern = named === undefined ? {} : { testNamePattern: new RegExp([named].flat().map(escaped).join('|')) }
  const ran = await vitest.runTestSpecifications([project.createSpecification(resolve(test), pattern)])
  // A run that was cancelled may leave its modules behind, with tests that have failed.
  const testModules = ran.testModules.filter(({ moduleId }) => moduleId === resolve(test))
  const tests = testModules.flatMap(({ children }) => [...children.allTests()])
  const count = (state: string): number => tests.filter((each) => each.result().state === state).length
  // A check of a file after its last test counts as a test. A file that cannot be imported has no test that
  // passed.
  const failed =
    count('failed') || testModules.filter((module) => count('passed') > 0 && module.errors().length > 0).length
  const isWhole = failed > 0 || testModules.every((module) => module.state() !== 'failed')
  const failedName = tests.find((each) => each.result().state === 'failed')?.name
  return { passed: count('passed'), failed, failedName, isWhole }
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/**
 * One failure is enough, and the other tests of a broken file may each wait until their timeout. Not awaited:
 * the run waits for its reporters.
 */
function stopAtFailure(test: TestCase): void {
  if (test.result().state === 'failed') void vitest.cancelCurrentRun('test-failure')
}

async function close(): Promise<void> {
  await vitest.close()
  process.exit(0)
}

process.on('message', (wanted: Wanted) => {
  void run(wanted).then((ran) => process.send?.(ran))
})
for (const event of ['disconnect', 'SIGTERM'] as const) process.once(event, () => void close())
