import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/**
 * Runs the same expression in several processes in the same millisecond, once per round, `everyMs` apart.
 * `expression` sees `round`, and the exports of `module` as `it`. Returns, for each round, the result of
 * every process; a refusal is its message.
 */
export async function race(
  module: URL,
  expression: string,
  { processes = 3, rounds = 40, everyMs = 15 } = {},
): Promise<unknown[][]> {
  const startAt = Date.now() + 1_000
  const script = `
    const it = await import(${JSON.stringify(module.href)})
    const results = []
    for (let round = 0; round < ${rounds}; round++) {
      while (Date.now() < ${startAt} + round * ${everyMs});
      try { results.push(await (${expression})) } catch (error) { results.push(error.message) }
    }
    console.log(JSON.stringify(results))
    process.stdin.resume()`
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  const said = await Promise.all(
    children.map(async (child) => {
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
      return JSON.parse(line) as unknown[]
    }),
  )
  // All processes lived until now, because what a process holds is released when it ends.
  for (const child of children) child.stdin.end()
  return Array.from({ length: rounds }, (_, round) => said.map((results) => results[round]))
}
