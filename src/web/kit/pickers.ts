/** What forms choose from lists of the service. Apart from the forms, which the first page may not need. */
import { createContext } from 'react'
import type { Operation, Shape } from '#api-client/operation'

/** How the values of a field are chosen from a list of the service, such as plans for `planSlug`. */
export interface Picker {
  readonly operation: Operation<Shape>
  readonly query?: object
  readonly optionOf: (item: never) => { readonly value: string; readonly label: string }
}

/** By the name of the field. */
export const PickersContext = createContext<Readonly<Record<string, Picker>>>({})
