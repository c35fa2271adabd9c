/**
 * What a service brings along that its kernel knows nothing of, such as a payment provider: named where it is used, given by the
 * composition root, taken by `call.given(…)` and `work.given(…)`.
 */
export interface ServiceKey<Thing> {
  readonly name: string
  /** Where nothing is given. */
  readonly fallback: Thing
}

export const serviceKey = <Thing>(name: string, usual: Thing): ServiceKey<Thing> => ({ name, fallback: usual })

export type ServiceRegistry = <Thing>(need: ServiceKey<Thing>) => Thing

interface ProvidedService {
  readonly key: ServiceKey<any>
  readonly service: unknown
}

export const provide = <Thing>(need: ServiceKey<Thing>, thing: Thing): ProvidedService => ({
  key: need,
  service: thing,
})

export function serviceRegistry(pairs: readonly ProvidedService[] = []): ServiceRegistry {
  const things = new Map(pairs.map(({ key, service }) => [key, service]))
  return <Thing>(need: ServiceKey<Thing>) => (things.has(need) ? (things.get(need) as Thing) : need.fallback)
}
