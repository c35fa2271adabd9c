/** What only root may do, and only where the kernel lets it: mounts and loop devices. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { leftover } from './leftovers.ts'

const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin'

/** @throws Error with what the program complained of */
export function system(program: string, ...args: string[]): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    env: { PATH: SYSTEM_PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export const has = (program: string): boolean =>
  spawnSync('/bin/sh', ['-c', 'command -v "$1"', 'sh', program], { env: { PATH: SYSTEM_PATH } }).status === 0

/** A file system at `path`, made here; until it is unmounted again or this process ends. @returns the way to unmount it */
export function mount(path: string, ...what: string[]): () => void {
  mkdirSync(path, { recursive: true, mode: 0o711 })
  system('mount', ...what, path)
  // Lazily: a process that was killed a moment ago may still be in it.
  const unmount = () => void system('umount', '--lazy', path)
  const cleaned = leftover(unmount)
  return () => {
    cleaned()
    unmount()
  }
}

/** Why file systems cannot be mounted here; undefined when they can. */
export function noMounts(): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux'
  if (process.getuid?.() !== 0) return 'needs root, to mount file systems'
  const tried = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'], {
    env: { PATH: SYSTEM_PATH },
  })
  return tried.status === 0 ? undefined : 'mounting a file system is refused here, also to root'
}

export function noLoopDevices(): string | undefined {
  if (!has('losetup') || !has('mkfs.ext4')) return 'needs losetup and mkfs.ext4'
  const tried = spawnSync('losetup', ['--find'], { env: { PATH: SYSTEM_PATH } })
  return tried.status === 0 ? undefined : 'there are no loop devices here'
}
