/**
 * How many guesses at one password may be looked at within this time: five are free, then each failure doubles the wait, from 2 s on,
 * so a machine that is slow gives time for another (security.md 2.1).
 */
export const guessesWithin = (ms: number): number => 5 + Math.floor(Math.log2(ms / 2_000 + 1))
