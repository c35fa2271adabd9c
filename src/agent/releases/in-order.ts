/** Services start after those that they depend on. */
interface Dependent {
  readonly name: string
  readonly dependsOn: readonly string[]
}

/**
 * What does not depend on each other begins together. After a failure nothing begins, and what has begun is told to end.
 * @param services without a circle
 * @returns in the order of the services, when all have ended @throws the first failure, when all have ended
 */
export async function inOrder<Service extends Dependent, Result>(
  services: readonly Service[],
  start: (service: Service, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const stop = new AbortController()
  const failures: unknown[] = []
  const begun = new Map<string, Promise<Result>>()

  function begin(name: string): Promise<Result> {
    const known = begun.get(name)
    if (known) return known
    const service = services.find((each) => each.name === name)!
    const started = Promise.all(service.dependsOn.map(begin)).then(() => {
      stop.signal.throwIfAborted()
      return start(service, stop.signal)
    })
    begun.set(name, started)
    started.catch((error: unknown) => {
      failures.push(error)
      stop.abort()
    })
    return started
  }

  const ends = await Promise.allSettled(services.map(({ name }) => begin(name)))
  if (failures.length > 0) throw failures[0]
  return ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
}
