/**
 * What sections declare for one of them, which works with all of it: a section that owns a mechanism makes the
 * declaration, the others use it in `section({ declares })`, and the composition root gathers what there is.
 */
import type { Reaction } from '../jobs/reaction.ts'
import type { Section } from './section.ts'

export interface Declared {
  readonly declaration: object
  readonly value: unknown
  /** What follows from it: a reaction of the section that uses it. */
  readonly reaction?: Reaction
}

export interface Declaration<Value> {
  (value: Value): Declared
  /** In the order of the sections. */
  in(sections: readonly Pick<Section, 'declares'>[]): Value[]
}

/**
 * @typeParam Value what one use of it says
 * @param reactionOf derives a reaction from each use
 */
export function declaration<Value>(reactionOf?: (value: Value) => Reaction): Declaration<Value> {
  const declare = (value: Value): Declared => ({
    declaration: made,
    value,
    ...(reactionOf && { reaction: reactionOf(value) }),
  })
  const made: Declaration<Value> = Object.assign(declare, {
    in: (sections: readonly Pick<Section, 'declares'>[]) =>
      sections
        .flatMap(({ declares = [] }) => declares)
        .filter((each) => each.declaration === made)
        .map(({ value }) => value as Value),
  })
  return made
}
