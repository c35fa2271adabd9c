/** What the client needs to know of an operation. */
import type { JsonObject } from '../../src/kernel/events/store-port.ts'
import type { Operation, Parameter } from '../../src/kernel/http/openapi/operations.ts'
import { capitalized, singular } from './types.ts'
import type { NameOf } from './types.ts'

export type Spec = Operation['spec']

/** The name of its module. A section such as `openapi.json` has a dot. */
export const sectionOf = ({ tags }: Spec): string => tags[0].replaceAll('.', '-')

/**
 * @param place such as `Body`, which ends the name of the whole
 * @param ending of the names of parts
 * @returns such as `PatchApplicationsByIdBody`, and `ApplicationSourceInput` for the field `source` of it
 */
export const namesOf =
  (spec: Spec, place: string, ending: string): NameOf =>
  (fields) =>
    fields.length === 0
      ? `${capitalized(spec.operationId)}${place}`
      : [...sectionOf(spec).split('-').map(singular), ...fields, ending].map(capitalized).join('')

export const parametersIn = ({ parameters }: Spec, place: Parameter['in']): Parameter[] =>
  parameters.filter((each) => each.in === place)

export const successesOf = ({ responses }: Spec) =>
  Object.entries(responses).flatMap(([status, response]) => (Number(status) < 300 ? [response] : []))

export const isStream = (spec: Spec): boolean =>
  successesOf(spec).some(({ content }) =>
    Object.keys(content ?? {}).some((type) => !type.startsWith('application/json')),
  )

export const isUpload = ({ requestBody }: Spec): boolean =>
  'application/octet-stream' in (((requestBody as JsonObject | undefined)?.['content'] ?? {}) as JsonObject)
