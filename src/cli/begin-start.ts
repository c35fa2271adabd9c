import { progressOn } from './progress-line.ts'

/** `daybook start`. It speaks before it loads what it runs, which alone takes a second. */
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
