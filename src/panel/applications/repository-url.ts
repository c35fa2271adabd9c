/** Addresses of repositories, and which of them belong to a provider of git. */
import { parseTargetUrl } from '#kernel/outbound/target-url'
import type { GitProvider } from '../git-providers/decider.ts'

const SSH = /^ssh:\/\/[a-z_][a-z0-9_-]{0,31}@(?:[a-z0-9][a-z0-9.-]{0,252}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?(\/[^?#]*)$/
/** As `REPOSITORY_PATH`, without what a URL would encode. */
const PATH = /^(?:\/(?![-.])[\w.~+-]{1,200}){1,20}$/
const LOCAL = ['localhost', '127.0.0.1', '[::1]']

/** In the form in which it was written: a URL with another canonical spelling is refused. */
export function isRepositoryUrl(text: string): boolean {
  const overSsh = SSH.exec(text)
  if (overSsh) return PATH.test(overSsh[1]!)
  const url = parseTargetUrl(text)
  if (!(url instanceof URL) || url.href !== text || url.search !== '') return false
  return (url.protocol === 'https:' || LOCAL.includes(url.hostname)) && PATH.test(url.pathname)
}

export const isOverSsh = (url: string): boolean => url.startsWith('ssh://')

/** Its repository as the provider names it, such as `ada/shop`. Undefined: it is not one of the provider. */
export function repositoryAt(url: string, { baseUrl }: Pick<GitProvider, 'baseUrl'>): string | undefined {
  if (!url.startsWith(`${baseUrl}/`)) return undefined
  return url.slice(baseUrl.length + 1).replace(/\.git$/, '')
}
