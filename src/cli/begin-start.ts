import { progressOn } from './progress-line.ts'

/** Runs `daybook start`. It prints its first line before it loads the code, which takes about a second. */
export async function beginStart(): Promise<void> {
  const progress = progressOn(process.stdout)
  progress.step('Loading Daybook')
  try {
    const { start } = await import('./start.ts')
    await start(progress)
  } finally {
    progress.end()
  }
}
