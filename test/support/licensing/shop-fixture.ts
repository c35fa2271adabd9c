/** Shortcuts for tests that provision over HTTP. */
import { expect } from 'vitest'
import type { Reply, TestService } from './service.ts'

export interface Entry {
  readonly action: string
  readonly subject: { readonly type: string; readonly id: string }
  readonly actor: { readonly type: string; readonly id: string }
  readonly meta: Readonly<Record<string, unknown>>
}

/** The terms of a plan that the shop sells, with the terms that a test is about. */
export const shopTerms = (terms: object) => ({
  public: true,
  free: !('priceMonthly' in terms || 'priceYearly' in terms),
})

export async function shopFixture(service: TestService) {
  const admin = await service.staff()
  let plans = 0

  return {
    admin,

    /** A plan for one test, in the shop, and free unless it has a price. @returns its slug and id */
    async plan(terms: object = {}): Promise<{ slug: string; id: string }> {
      const body = { slug: `plan-${(plans += 1)}`, name: 'Plan', ...shopTerms(terms), ...terms }
      const made = await service.call('POST', '/api/admin/plans', { as: await service.staff(), body })
      expect(made.status, made.text).toBe(201)
      return made.body
    },

    provision: async (body: unknown, as?: string): Promise<Reply> =>
      service.call('POST', '/api/admin/provisioning', { as: as ?? (await service.staff()), body }),

    get: async (path: string, as?: string): Promise<Reply> =>
      service.call('GET', path, { as: as ?? (await service.staff()) }),

    post: async (path: string, body?: unknown, as?: string): Promise<Reply> =>
      service.call('POST', path, { as: as ?? (await service.staff()), ...(body === undefined ? {} : { body }) }),

    /** The newest audit entries about an id, newest first. */
    async audit(subject: string): Promise<readonly Entry[]> {
      await service.licensing.projector.catchUp()
      const found = await service.call('GET', `/api/admin/audit?subject=${subject}&pageSize=100`, {
        as: await service.staff(),
      })
      expect(found.status, found.text).toBe(200)
      return found.body.items
    },

    async count(table: string): Promise<number> {
      await service.licensing.projector.catchUp()
      const { rows } = await service.superuser.query(`SELECT count(*)::int AS number FROM read.${table}`)
      return rows[0].number
    },
  }
}
