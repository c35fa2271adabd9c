import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ContestantName } from './contestant.ts'

const WITH_PACKAGES: readonly ContestantName[] = ['emmett', 'message-db', 'castore', 'copy']

/**
 * The peers are packages of the bench and not of Daybook, so `npm ci` does not install them. The first run
 * that needs them does.
 * @throws after npm has printed its own message
 */
export function installPeers(contestants: readonly ContestantName[]): void {
  const installed = existsSync(join(import.meta.dirname, 'node_modules', '.package-lock.json'))
  if (installed || !contestants.some((each) => WITH_PACKAGES.includes(each))) return
  console.log('installing the peers into bench/node_modules (npm ci)')
  const { status, error } = spawnSync('npm', ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: import.meta.dirname,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The peers could not be installed', { cause: error })
}
