import { readFile } from 'node:fs/promises'
import type { Core } from '../composition/licensing.ts'
import { constraintMismatchText } from '../kernel/events/unique-constraints.ts'
import { checkpointKey } from '../kernel/history/checkpoint-key.ts'
import { makeCheckpoint, brokenHistoryText, verifyHistory } from '../kernel/history/verify-history.ts'
import { withCore } from './installation.ts'
import type { ServiceProfile } from './service-profile.ts'
import { AUDIT_USAGE, usageOf } from './usage.ts'

/**
 * Results are written to standard output, so that `checkpoint > FILE` and `key > FILE` contain only the
 * result.
 */
export async function audit([task, ...words]: readonly string[], which: ServiceProfile): Promise<number> {
  if (task === 'verify') {
    const files = filesOf(words)
    if (files)
      return withCore(async (core) => verify(core, (await Promise.all(files.map(checkpointsIn))).flat()), which)
  }
  if (task === 'checkpoint' && words.length === 0) return withCore(checkpoint, which)
  if (task === 'key' && words.length === 0) return withCore(key, which)
  console.error(usageOf(which.commandPrefix, AUDIT_USAGE))
  return 2
}

/** @returns undefined for arguments other than `--checkpoint FILE`, which may be repeated */
function filesOf(words: readonly string[]): string[] | undefined {
  const files: string[] = []
  for (let at = 0; at < words.length; at += 2) {
    const file = words[at + 1]
    if (words[at] !== '--checkpoint' || file === undefined) return undefined
    files.push(file)
  }
  return files
}

async function checkpointsIn(file: string): Promise<string[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.trim())
  const checkpoints = lines.filter((line) => line !== '')
  if (checkpoints.length === 0) throw new Error(`The file ${file} contains no checkpoint.`)
  return checkpoints
}

async function verify({ pool, vault, findConstraintMismatch }: Core, exported: readonly string[]): Promise<number> {
  const started = performance.now()
  const found = await verifyHistory(pool, vault, { exported })
  if ('problem' in found) {
    console.error(`BROKEN. ${brokenHistoryText(found)}.`)
    return 1
  }
  const stray = await findConstraintMismatch()
  if (stray) {
    console.error(`BROKEN. ${constraintMismatchText(stray)}. The events themselves are unchanged.`)
    return 1
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const attested = found.checkpoint
    ? `Signed up to position ${found.checkpoint.position} (${found.checkpoint.at}).`
    : 'No checkpoint is signed yet.'
  console.log(`Valid: ${found.events} events, chain ${found.hash}, verified in ${seconds} s. ${attested}`)
  if (exported.length === 0)
    console.log('Only an exported checkpoint can show that no events were removed from the end: use --checkpoint.')
  return 0
}

async function checkpoint({ pool, vault }: Core): Promise<number> {
  const made = await makeCheckpoint(pool, vault)
  if (!made) throw new Error('The log is empty: there is nothing to sign yet.')
  console.log(made.jws)
  console.error(
    `Position ${made.position}, chain ${made.hash}. Store it where the database's administrators cannot change it.`,
  )
  return 0
}

async function key({ vault }: Core): Promise<number> {
  console.log(JSON.stringify((await checkpointKey(vault)).publicJwk))
  return 0
}
