/** All operators by name, and the mutants that they make of a tree. */
import { mutantsOf } from './mutant.ts'
import type { Mutant, Operator } from './mutant.ts'
import { gate, handler, where } from './reads.ts'
import { audit, constraint, erasure, reaction, record, sealed, strict } from './records.ts'
import { bound, guard, rejection } from './refusals.ts'
import { access, option, plainAccesses } from './routes.ts'
import { declaredNames } from './source.ts'
import type { Source } from './source.ts'

export function operatorsFor(sources: readonly Source[]): Readonly<Record<string, Operator>> {
  return {
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
  }
}

/** @throws Error when two mutants have one identity */
export function mutantsIn(sources: readonly Source[]): Mutant[] {
  const operators = Object.entries(operatorsFor(sources))
  const names = declaredNames(sources)
  const mutants = sources
    .flatMap((source) => operators.flatMap(([name, find]) => mutantsOf(source, name, find)))
    .map((mutant) => ({
      ...mutant,
      terms: [...mutant.terms, ...mutant.terms.flatMap((term) => names.get(term) ?? [])],
    }))
  const ids = new Set(mutants.map(({ id }) => id))
  if (ids.size < mutants.length) throw new Error('Two mutants have one identity')
  return mutants
}
