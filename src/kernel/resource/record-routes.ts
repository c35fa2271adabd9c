/** The routes of a record: to read its values and to change some of them. */
import { z } from 'zod'
import type { UnitOfWork } from '../commands/command-runner.ts'
import type { RecordVersion } from '../http/record-version.ts'
import { route } from '../http/route.ts'
import type { Access, Route, RouteLine } from '../http/route.ts'
import { changeOf } from './change-of.ts'
import type { ChangesOf, Fields, ValuesOf } from './fields.ts'
import type { RecordOf } from './record.ts'

interface RecordRoutesSpec<Ids extends Fields, F extends Fields, Shown> {
  readonly view: Access
  readonly manage: Access
  /** What a request may send, where that is less than what may be stored. */
  readonly input: { readonly [Name in keyof F]: z.ZodType<z.output<F[Name]>> }
  readonly reply: z.ZodType<Shown, Shown>
  /** Whose record it is, by the id in the path; empty for a record of the installation. */
  readonly of: (id: string) => ValuesOf<Ids>
  /** The reply for this id. It also runs before a change. @throws Rejection 404 */
  readonly show: (unit: UnitOfWork, id: string) => Promise<NoInfer<Shown>>
}

export function recordRoutes<Noun extends string, Ids extends Fields, F extends Fields, Shown>(
  record: RecordOf<Noun, Ids, F>,
  { view, manage, input, reply, of, show }: RecordRoutesSpec<Ids, F, Shown>,
) {
  // The compiler cannot compare types that are derived from open fields: the schema says what it parses.
  const Change = changeOf(input as unknown as Fields) as unknown as z.ZodType<ChangesOf<F>>
  const idIn = (params: { readonly id?: string }): string => params.id ?? ''

  const version: RecordVersion = {
    covers: z.object(record.fields),
    shown: (unit, { params }) => show(unit, idIn(params)),
  }

  return {
    read: (line: RouteLine, does: string): Route =>
      route(line, {
        does,
        access: view,
        version,
        reply,
        handle: ({ run, params }) => run((unit) => show(unit, idIn(params))),
      }),

    change: (line: RouteLine, does: string, access: Access = manage): Route =>
      route(line, {
        does,
        access,
        version,
        body: Change,
        reply,
        handle: ({ run, body: changes, params }) =>
          run(async (unit) => {
            const id = idIn(params)
            await show(unit, id)
            await unit.decide(record, id === '' ? undefined : id, 'Change', { of: of(id), changes })
            return show(unit, id)
          }),
      }),
  }
}
