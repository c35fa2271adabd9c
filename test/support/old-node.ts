import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A Node of this machine that is older than the one of the packages. */
export function findOldNode({ majorMin }: { readonly majorMin: number }): string | undefined {
  const places = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/bin', '/usr/bin']
  return places
    .map((place) => join(place, 'node'))
    .find((node) => existsSync(node) && majorOf(node) >= majorMin && majorOf(node) < 24)
}

function majorOf(node: string): number {
  return Number.parseInt(execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }), 10)
}
