/** All operators by name, and the mutants that they make of a tree. */
import { branch, clause, early, effect, step } from './logic.ts'
import { mutantsOf } from './mutant.ts'
import type { Mutant, Operator } from './mutant.ts'
import { gate, handler, where } from './reads.ts'
import { audit, constraint, erasure, reaction, record, sealed, strict } from './records.ts'
import { bound, guard, messagesOf, rejection } from './refusals.ts'
import { access, option, plainAccesses } from './routes.ts'
import { declaredNames } from './source.ts'
import type { Source } from './source.ts'
import { entry, equality, extreme, fallback, loose, number } from './values.ts'

/** Of what is declared: every one that survives is a promise without a test. */
const declared = (sources: readonly Source[]): Readonly<Record<string, Operator>> => ({
  rejection,
  guard,
  bound,
  strict,
  constraint,
  sealed,
  erasure,
  audit,
  record,
  reaction,
  gate,
  where,
  handler,
  option,
  access: access(plainAccesses(sources)),
})

const WIDE: Readonly<Record<string, Operator>> = {
  clause,
  branch,
  early,
  effect,
  step,
  number,
  entry,
  fallback,
  extreme,
  equality,
  loose,
}

export const isWide = ({ operator }: Mutant): boolean => operator in WIDE

/**
 * All mutants of a tree, the wide ones last. A wide one that makes the same text as another is left out.
 * @throws Error when two mutants have one identity
 */
export function mutantsIn(sources: readonly Source[]): Mutant[] {
  const operators = Object.entries({ ...declared(sources), ...WIDE })
  const names = declaredNames(sources)
  const messages = messagesOf(sources)
  const all = sources.flatMap((source) => operators.flatMap(([name, find]) => mutantsOf(source, name, find)))
  const changes = new Set(all.filter((mutant) => !isWide(mutant)).map(changeOf))
  const mutants = all
    .filter((mutant) => !isWide(mutant) || !changes.has(changeOf(mutant)))
    .map((mutant) => ({
      ...mutant,
      terms: [
        ...mutant.terms,
        ...mutant.terms.flatMap((term) => [...[names.get(term) ?? []].flat(), ...(messages.get(term) ?? [])]),
      ],
    }))
  const ids = new Set(mutants.map(({ id }) => id))
  if (ids.size < mutants.length) throw new Error('Two mutants have one identity')
  return mutants
}

const changeOf = ({ file, start, end, replacement }: Mutant): string => [file, start, end, replacement].join('\n')
