/** How long a first start takes: from the command to the printed address, in a new directory and again. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { BIN } from './bench.ts'
import { child, freePort } from './child.ts'
import { median } from './spread.ts'

export interface StartUp {
  /** Medians, in seconds. */
  readonly first: number
  readonly second: number
}

export async function startUp(directory: string, times: number): Promise<StartUp> {
  const taken: { first: number[]; second: number[] } = { first: [], second: [] }
  for (let nth = 0; nth < times; nth += 1) {
    const dataDir = join(directory, `start-${nth}`)
    taken.first.push(await seconds(dataDir))
    taken.second.push(await seconds(dataDir))
    rmSync(dataDir, { recursive: true })
  }
  return { first: median(taken.first), second: median(taken.second) }
}

async function seconds(dataDir: string): Promise<number> {
  const [port, panel] = [await freePort(), await freePort()]
  const before = performance.now()
  const env = { DAYBOOK_DATA_DIR: dataDir, LICENSING_PORT: String(port), PANEL_PORT: String(panel) }
  const running = await child([BIN, 'start'], env, 'Press Ctrl-C to stop.')
  const taken = performance.now() - before
  await running.stop()
  return taken / 1_000
}
