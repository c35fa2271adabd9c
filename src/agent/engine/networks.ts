/** What the engine needs of its networks, and what containers are made to use. */
import { z } from 'zod'

/** Made by the engine itself. They cannot be removed. */
export const PREDEFINED_NETWORKS: readonly string[] = ['bridge', 'host', 'none']

/** The part of a listed container that tells. One that was never started may name its network and not have its id. */
export const NetworkUser = z.object({
  HostConfig: z.object({ NetworkMode: z.string().nullish() }).nullish(),
  NetworkSettings: z
    .object({ Networks: z.record(z.string(), z.object({ NetworkID: z.string().nullish() }).nullish()).nullish() })
    .nullish(),
})

interface ListedNetwork {
  readonly Id: string
  readonly Name: string
}

/** Whether the container is made to use it, running or not. A maker may name a network by the first digits of its id. */
export function usesNetwork(container: z.output<typeof NetworkUser>, { Id, Name }: ListedNetwork): boolean {
  const networks = container.NetworkSettings?.Networks ?? {}
  if (Object.values(networks).some((network) => network?.NetworkID === Id)) return true
  const names = [container.HostConfig?.NetworkMode ?? '', ...Object.keys(networks)]
  return names.some((name) => name === Name || (name !== '' && Id.startsWith(name)))
}
