/** Lists the ten slowest files at the end of a whole run, because they decide its duration. */
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const FILES = 10

const secondsOf = (module: TestModule): number => {
  const { duration, collectDuration, setupDuration } = module.diagnostic()
  return (duration + collectDuration + setupDuration) / 1_000
}

export const slowest: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length <= FILES) return
    const timed = modules.map((module) => ({ file: relative('', module.moduleId), seconds: secondsOf(module) }))
    const all = timed.reduce((sum, { seconds }) => sum + seconds, 0)
    const lines = timed
      .toSorted((one, other) => other.seconds - one.seconds)
      .slice(0, FILES)
      .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`)
    console.log([`The slowest files of ${Math.round(all)} s in all:`, ...lines, ''].join('\n'))
  },
}
