/**
 * How many guesses at one password are examined within this time. Five are free, then each failure doubles
 * the wait, from 2 s on. So a slow machine has time for one more (security.md 2.1).
 */
export const guessesWithin = (ms: number): number => 5 + Math.floor(Math.log2(ms / 2_000 + 1))
