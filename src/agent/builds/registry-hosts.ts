/** Logins of registries, by the names that the builders of the engine have for them. */
import type { BuildSecrets } from '../../tasks/builds.ts'

type Login = BuildSecrets['registries'][number]

/** Docker Hub has a name of its own in each place. Source: the package registry of the Docker engine. */
const HUB = ['docker.io', 'registry-1.docker.io', 'index.docker.io']
const HUB_KEY = 'https://index.docker.io/v1/'

const isHub = (address: string): boolean => HUB.includes(address)

export const loginAt = (logins: readonly Login[], host: string): Login | undefined =>
  logins.find(({ address }) => address === host || (isHub(address) && isHub(host)))

/** What headers of the engine hold: base64 of URLs, with its padding. */
export const headerOf = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64').replaceAll('+', '-').replaceAll('/', '_')

/** The header X-Registry-Config, for builders without a session. Source: Docker Engine API 1.41, ImageBuild. */
export function registryConfig(logins: readonly Login[]): string {
  const entries = logins.map(({ address, username, password }) => [
    isHub(address) ? HUB_KEY : address,
    { username, password },
  ])
  return headerOf(Object.fromEntries(entries))
}
