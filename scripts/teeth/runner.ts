/**
 * Runs tests of the project in its working directory, whenever its parent says so and for as long as it lives: to start and to
 * read every module anew would take longer than most tests do. Each run still has a process of its own for its tests.
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

async function run({ test, named, changed }: Wanted): Promise<Ran> {
  for (const file of changed) vitest.invalidateFile(resolve(file))
  const pattern = named === undefined ? {} : { testNamePattern: new RegExp([named].flat().map(escaped).join('|')) }
  const ran = await vitest.runTestSpecifications([vitest.getRootProject().createSpecification(resolve(test), pattern)])
  // A run that was cancelled may leave its modules behind, with tests that have failed.
  const testModules = ran.testModules.filter(({ moduleId }) => moduleId === resolve(test))
  const tests = testModules.flatMap(({ children }) => [...children.allTests()])
  const count = (state: string): number => tests.filter((each) => each.result().state === state).length
  // What a file checks after its last test is a test as well; a file that cannot be imported has none that passed.
  const failed =
    count('failed') || testModules.filter((module) => count('passed') > 0 && module.errors().length > 0).length
  const isWhole = failed > 0 || testModules.every((module) => module.state() !== 'failed')
  const failedName = tests.find((each) => each.result().state === 'failed')?.name
  return { passed: count('passed'), failed, failedName, isWhole }
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** One is enough, and the others of a broken file may each wait for what never comes. Not awaited: the run waits for its reporters. */
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
