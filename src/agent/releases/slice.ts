/** The control group of applications: they get more of a busy processor than builds, which the engine puts elsewhere. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A unit of the installation, where systemd runs. */
const SLICE = 'daybook.slice'
const ROOT = '/sys/fs/cgroup'
/** Ten times what a group has by itself. Source: Linux, cgroup-v2, `cpu.weight`, and sched-design-CFS, `cpu.shares`. */
const [WEIGHT, SHARES] = ['1000', '10240']

/**
 * Of an engine that makes groups itself, the agent makes this one, unless systemd has. Where it may not, applications and builds share alike.
 * @param driver of the engine: `systemd` or `cgroupfs`
 * @returns how the engine names it; undefined: the host has none
 */
export async function sliceOf(driver: string | undefined, root = ROOT): Promise<string | undefined> {
  const isUnified = existsSync(join(root, 'cgroup.controllers'))
  const parent = isUnified ? root : join(root, 'cpu')
  const place = join(parent, SLICE)
  if (driver === 'systemd') return existsSync(place) ? SLICE : undefined
  try {
    if (isUnified) await writeFile(join(root, 'cgroup.subtree_control'), '+cpu')
    if (!existsSync(place)) await mkdir(place)
    await writeFile(join(place, isUnified ? 'cpu.weight' : 'cpu.shares'), isUnified ? WEIGHT : SHARES)
    return `/${SLICE}`
  } catch {
    return existsSync(place) ? `/${SLICE}` : undefined
  }
}
