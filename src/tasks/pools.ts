/** Pools bound how many tasks a server runs at once. A kind names the pool that its tasks take a place in. */

export const POOL_SIZES = { build: 8, release: 16, io: 4, quick: 8, exec: 10 } as const

export type Pool = keyof typeof POOL_SIZES

export const POOLS = Object.keys(POOL_SIZES) as readonly Pool[]
