/** The routes of a plain resource. Each is a `route` with the one handler that such a route has. */
import { z } from 'zod'
import type { RecordVersion } from '../http/record-version.ts'
import { route } from '../http/route.ts'
import type { Access, Route, RouteLine } from '../http/route.ts'
import { changeOf } from './change-of.ts'
import type { ChangesOf, Fields, ValuesOf } from './fields.ts'
import { inputFields } from './input-fields.ts'
import type { InputOf } from './input-fields.ts'
import { listRoute } from './list-route.ts'
import type { ListContract, ListRouteSpec } from './list-route.ts'
import type { ResourceTable } from './resource-table.ts'
import type { Item, Resource } from './resource.ts'

interface ResourceRoutesSpec<F extends Fields, Query extends z.ZodType> {
  readonly table: ResourceTable<F>
  readonly view: Access
  readonly manage: Access
  /** How this service lists. */
  readonly lists: ListContract<Query>
  readonly input?: InputOf<F>
}

/** The last path parameter of a line is the item's id. */
const idFrom = (params: Readonly<Record<string, string>>): string => Object.values(params).at(-1)!

export function resourceRoutes<
  Noun extends string,
  F extends Fields,
  Unique extends keyof ValuesOf<F>,
  Query extends z.ZodType,
>(items: Resource<Noun, F, Unique>, { table, view, manage, lists, input = {} }: ResourceRoutesSpec<F, Query>) {
  const { noun, fields, itemIn } = items
  const accepted = inputFields(fields, input)
  // The compiler cannot compare types that are derived from open fields: these three schemas say what they parse.
  const Body = z.strictObject(accepted) as unknown as z.ZodType<ValuesOf<F>>
  const Change = changeOf(accepted) as unknown as z.ZodType<ChangesOf<F>>
  const Shown = z.object({ id: z.uuid(), ...fields, createdAt: z.iso.datetime() }).meta({ id: noun })
  const Reply = Shown as unknown as z.ZodType<Item<F>, Item<F>>

  const version: RecordVersion = {
    covers: Shown,
    shown: async (unit, { params }) => itemIn(await unit.look(items), idFrom(params)),
  }

  return {
    /** @param more access and rows other than those of a caller who may view all items */
    list: (
      line: RouteLine,
      does: string,
      more: Partial<Pick<ListRouteSpec<string, Item<F>>, 'access' | 'only'>> = {},
    ): Route => listRoute(line, table, lists, { does, access: view, item: Reply, ...more }),

    read: (line: RouteLine, does: string): Route =>
      route(line, {
        does,
        access: view,
        version,
        reply: Reply,
        handle: ({ run, params }) => run(async (unit) => itemIn(await unit.look(items), idFrom(params))),
      }),

    create: (line: RouteLine, does: string): Route =>
      route(line, {
        does,
        access: manage,
        status: 201,
        body: Body,
        reply: Reply,
        handle: ({ run, body: values }) =>
          run(async (unit) => {
            const id = unit.newId()
            await unit.decide(items, undefined, 'Create', { id, values })
            return itemIn(await unit.load(items), id)
          }),
      }),

    /** @param read the route of `read`, whose ETag the change takes in `If-Match` */
    change: (line: RouteLine, does: string, read?: Route): Route =>
      route(line, {
        does,
        access: manage,
        ...(read?.version && { version: read.version }),
        body: Change,
        reply: Reply,
        handle: ({ run, body: changes, params }) =>
          run(async (unit) => {
            await unit.decide(items, undefined, 'Change', { id: idFrom(params), changes })
            return itemIn(await unit.load(items), idFrom(params))
          }),
      }),

    remove: (line: RouteLine, does: string): Route =>
      route(line, {
        does,
        access: manage,
        handle: ({ run, params }) =>
          run(async (unit) => void (await unit.decide(items, undefined, 'Delete', { id: idFrom(params) }))),
      }),
  }
}
