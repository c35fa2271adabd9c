/**
 * Mutants that no test can notice, each with the reason. An entry that names no mutant, and one that a test does notice, fails the
 * run: then the entry goes.
 */
export const EQUIVALENTS: Readonly<Record<string, string>> = {}
