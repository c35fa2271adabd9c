/**
 * Dependencies of a service that the kernel does not know, such as a payment provider. The module that uses one
 * declares its key, the composition root provides it, and handlers get it by `call.service(…)` and `work.service(…)`.
 */
export interface ServiceKey<Thing> {
  readonly name: string
  /** Used when the composition root provides none. */
  readonly fallback: () => Thing
}

export const serviceKey = <Thing>(name: string, usual: Thing): ServiceKey<Thing> => ({ name, fallback: () => usual })

/** As `serviceKey`, of what the composition root must provide. */
export const requiredService = <Thing>(name: string): ServiceKey<Thing> => ({
  name,
  fallback: () => {
    throw new Error(`No ${name} was provided: register one in the composition root`)
  },
})

export type ServiceRegistry = <Thing>(need: ServiceKey<Thing>) => Thing

export interface ProvidedService {
  readonly key: ServiceKey<any>
  readonly service: unknown
}

export const provide = <Thing>(need: ServiceKey<Thing>, thing: Thing): ProvidedService => ({
  key: need,
  service: thing,
})

export function serviceRegistry(pairs: readonly ProvidedService[] = []): ServiceRegistry {
  const things = new Map(pairs.map(({ key, service }) => [key, service]))
  return <Thing>(need: ServiceKey<Thing>) => (things.has(need) ? (things.get(need) as Thing) : need.fallback())
}
