/** From which range environments get their blocks: the owner of a host may name another one. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { TaskFailure } from '../performer.ts'
import { blockOf, isRange } from './addresses.ts'
import type { Block } from './addresses.ts'

export const POLICY_FILE = '/etc/daybook/policy.json'
const DEFAULT_RANGE = '10.192.0.0/12'

/** What else a policy says is not about networks. */
const Policy = z.object({ networkRange: z.string().optional() })

/** @throws TaskFailure NO_ADDRESS for a policy that names no range */
export async function networkRange(path: string): Promise<Block> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  const range = blockOf(rangeIn(text) ?? '')
  if (range && isRange(range)) return range
  throw new TaskFailure('NO_ADDRESS', `${path} of the host must name a block such as ${DEFAULT_RANGE} as networkRange`)
}

function rangeIn(text: string): string | undefined {
  try {
    const policy = Policy.safeParse(JSON.parse(text))
    return policy.success ? (policy.data.networkRange ?? DEFAULT_RANGE) : undefined
  } catch {
    return undefined
  }
}
