/**
 * `npm run dev`: the evaluation, started again at each change of the code. The pages are built with React's warnings,
 * and an open page reloads itself. Ctrl-C ends it.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buildForDevelopment, ensureBuilt } from '../src/web/build.ts'

const ROOT = join(import.meta.dirname, '..')
const WATCHED = ['src', 'projections']
const PAGES = join(ROOT, 'node_modules/.cache/dev-pages')
/** An editor writes several files at once. */
const SETTLED_MS = 100

let changes = 0
let wake = () => {}
for (const folder of WATCHED)
  watch(join(ROOT, folder), { recursive: true }, () => {
    changes += 1
    wake()
  })

async function untilChanged(since: number): Promise<void> {
  if (changes === since) await new Promise<void>((resolve) => (wake = resolve))
  for (let seen = 0; seen !== changes;) {
    seen = changes
    await pause(SETTLED_MS)
  }
}

/** @returns undefined, and says why, if the pages do not build */
async function started(): Promise<ChildProcess | undefined> {
  try {
    const dir = await ensureBuilt(PAGES, { build: buildForDevelopment })
    const env = { ...process.env, PAGES_DIR: dir }
    return spawn(process.execPath, [join(ROOT, 'bin/daybook.mjs'), 'start'], { env, stdio: 'inherit' })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return undefined
  }
}

async function stop(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return
  service.kill('SIGTERM')
  await once(service, 'exit')
}

let running: ChildProcess | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void (running ? stop(running) : Promise.resolve()).then(() => process.exit(0)))

for (;;) {
  const since = changes
  running = (await started()) ?? running
  await untilChanged(since)
  if (running) await stop(running)
}
