/** An image with a shell, made of Debian's busybox-static from nothing else: no hub can be reached. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestEngine } from './docker-engine.ts'

export const BUSYBOX = 'busybox:test'

/** @param name under which the engine has it */
export async function loadBusybox({ api }: Pick<TestEngine, 'api'>, name = BUSYBOX): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'busybox-'))
  const [repo, tag] = name.split(':')
  try {
    for (const each of ['bin', 'etc', 'tmp']) mkdirSync(join(scratch, each))
    copyFileSync('/bin/busybox', join(scratch, 'bin/busybox'))
    for (const each of execFileSync('/bin/busybox', ['--list'], { encoding: 'utf8' }).trim().split('\n'))
      if (each !== 'busybox') symlinkSync('busybox', join(scratch, 'bin', each))
    const archive = execFileSync('tar', ['-C', scratch, '-c', '.'], { maxBuffer: 64 * 2 ** 20 })
    await api('POST', `/images/create?fromSrc=-&repo=${repo}&tag=${tag}`, archive)
  } finally {
    rmSync(scratch, { recursive: true })
  }
}
