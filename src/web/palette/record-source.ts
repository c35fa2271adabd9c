/** Where the palette finds records. */
import type { Operation, Shape } from '#api-client/operation'
import type { Entry } from './matching.ts'

export interface RecordSource {
  readonly operation: Operation<Shape>
  /** The service searches by the parameter `q`. Absent: it lists, and the text is looked for in the items. */
  readonly isSearch?: true
  /** What is found by which text. */
  readonly about: string
  /** @param text the whole text that the service has found this item by */
  readonly entryOf: (item: never, text: string) => Entry | undefined
}
