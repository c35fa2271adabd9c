/** What only root may do, and only where the kernel allows it: mounts and loop devices. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { leftover } from './leftovers.ts'

const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin'

/** @throws Error with the program's error output */
export function system(program: string, ...args: string[]): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    env: { PATH: SYSTEM_PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export const has = (program: string): boolean =>
  spawnSync('/bin/sh', ['-c', 'command -v "$1"', 'sh', program], { env: { PATH: SYSTEM_PATH } }).status === 0

/**
 * Creates a file system at `path`, until it is unmounted or this process ends. @returns a function that
 * unmounts it
 */
export function mount(path: string, ...what: string[]): () => void {
  mkdirSync(path, { recursive: true, mode: 0o711 })
  system('mount', ...what, path)
  // Lazily: a process that was just killed may still use it.
  const unmount = () => void system('umount', '--lazy', path)
  const cleaned = leftover(unmount)
  return () => {
    cleaned()
    unmount()
  }
}

/** The reason why file systems cannot be mounted here; undefined if they can. */
export function noMounts(): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux'
  if (process.getuid?.() !== 0) return 'needs root, to mount file systems'
  const tried = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'], {
    env: { PATH: SYSTEM_PATH },
  })
  return tried.status === 0 ? undefined : 'the kernel refuses to mount file systems here, even to root'
}

export function noLoopDevices(): string | undefined {
  if (!has('losetup') || !has('mkfs.ext4')) return 'needs losetup and mkfs.ext4'
  const tried = spawnSync('losetup', ['--find'], { env: { PATH: SYSTEM_PATH } })
  return tried.status === 0 ? undefined : 'there are no loop devices here'
}
