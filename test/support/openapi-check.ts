/** The OpenAPI document names the status of each answer. Checks every request in the log. */
import { expect } from 'vitest'
import { responseStatusesOf } from '#kernel/http/openapi/openapi'
import type { Route } from '#kernel/http/route'

/** The answer was not sent completely. */
const CLIENT_LEFT = 499

export function openApiCheck(routes: readonly Route[]) {
  const promised = new Map<string, ReadonlySet<number>>(routes.map((route) => [route.line, responseStatusesOf(route)]))
  const missing = new Set<string>()

  return {
    hear(line: string): void {
      const { msg, route, status } = JSON.parse(line)
      const isPromised = status === CLIENT_LEFT || (promised.get(route)?.has(status) ?? true)
      if (msg === 'request' && !isPromised) missing.add(`${route}: ${status}`)
    },

    check(): void {
      expect([...missing], 'answers that the OpenAPI document does not name').toEqual([])
    },
  }
}
