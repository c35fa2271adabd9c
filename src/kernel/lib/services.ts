/**
 * What a service brings along that its kernel knows nothing of, such as a payment provider: named where it is used, given by the
 * composition root, taken by `call.given(…)` and `work.given(…)`.
 */
export interface Need<Thing> {
  readonly name: string
  /** Where nothing is given. */
  readonly usual: Thing
}

export const need = <Thing>(name: string, usual: Thing): Need<Thing> => ({ name, usual })

export type Given = <Thing>(need: Need<Thing>) => Thing

interface Pair {
  readonly need: Need<any>
  readonly thing: unknown
}

export const giving = <Thing>(need: Need<Thing>, thing: Thing): Pair => ({ need, thing })

export function given(pairs: readonly Pair[] = []): Given {
  const things = new Map(pairs.map(({ need, thing }) => [need, thing]))
  return <Thing>(need: Need<Thing>) => (things.has(need) ? (things.get(need) as Thing) : need.usual)
}
