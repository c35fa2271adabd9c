/** Blocks of addresses of this machine, of which each belongs to one test file at a time. */
import { randomInt } from 'node:crypto'

const BLOCKS = 256

/**
 * @param add adds what is named by the number of the block, and is refused by the system if that is there already. The name
 * goes with it, so that a run that was killed keeps no block that is not seen.
 * @throws what `add` throws for another reason, or when no block is free
 */
export function claimSubnet(add: (nth: number) => string): { readonly name: string; readonly subnet: number } {
  const first = randomInt(BLOCKS)
  for (let tries = 0; ; tries += 1) {
    const subnet = (first + tries) % BLOCKS
    try {
      return { name: add(subnet), subnet }
    } catch (error) {
      if (!/File exists/.test(String(error)) || tries === BLOCKS - 1) throw error
    }
  }
}
