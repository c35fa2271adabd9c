/** Reads lists of any length, whichever of the three ways the list offers. */
import type { Call, CallArguments, CallInput } from './call.ts'
import type { Operation, Shape, Walk } from './operation.ts'

/** The items of an answer, in each form in which a list is answered. */
export type ItemOf<Data> = Data extends readonly (infer Item)[]
  ? Item
  : Data extends { readonly items: readonly (infer Item)[] }
    ? Item
    : never

export interface Page<Item> {
  readonly items: readonly Item[]
  /** All items of the list; undefined if the list is not counted. */
  readonly total: number | undefined
  /** Where the next page begins; undefined: this is the last. */
  readonly next: Place | undefined
}

/** A place in a list: parameters of its query. */
export type Place = Readonly<Record<string, string | number>>

/**
 * Reads one page of a list.
 * @param after `next` of the page before; undefined: the first page
 * @throws Refusal
 */
export async function readPage<S extends Shape>(
  call: Call,
  operation: Operation<S>,
  input: CallInput<S>,
  after?: Place,
): Promise<Page<ItemOf<S['data']>>> {
  const { walk } = operation
  const query = { ...(walk && FIRST[walk]), ...input.query, ...after }
  const { data } = await call(operation, ...([{ ...input, query }] as unknown as CallArguments<S>))
  const form = formOf<ItemOf<S['data']>>(data)
  const { items, total } = form
  return { items, total, next: walk && items.length > 0 ? NEXT[walk](form) : undefined }
}

/**
 * Goes through all items of a list.
 * @throws Refusal
 */
export type WalkList = <S extends Shape>(
  operation: Operation<S>,
  ...input: CallArguments<S>
) => AsyncGenerator<ItemOf<S['data']>, void, undefined>

export function createWalk(call: Call): WalkList {
  return async function* <S extends Shape>(operation: Operation<S>, ...[input]: CallArguments<S>) {
    let page = await readPage(call, operation, (input ?? {}) as CallInput<S>)
    yield* page.items
    while (page.next) {
      page = await readPage(call, operation, (input ?? {}) as CallInput<S>, page.next)
      yield* page.items
    }
  }
}

const PAGE_SIZE = 100
const FIRST_PAGE = { page: 1, pageSize: PAGE_SIZE }

const FIRST: Readonly<Record<Walk, Place>> = { cursor: { limit: PAGE_SIZE }, page: FIRST_PAGE, before: FIRST_PAGE }

/** The fields of all forms of a list. */
interface Form<Item> {
  readonly items: readonly Item[]
  readonly total?: number
  readonly page?: number
  readonly pageSize?: number
  readonly nextCursor?: string | null
}

const formOf = <Item>(data: unknown): Form<Item> =>
  Array.isArray(data) ? { items: data as Item[] } : (data as Form<Item>)

const NEXT: Readonly<Record<Walk, (form: Form<unknown>) => Place | undefined>> = {
  cursor: ({ nextCursor }) => (nextCursor == null ? undefined : { cursor: nextCursor }),
  page: ({ page = 1, pageSize = PAGE_SIZE, total = 0 }) =>
    page * pageSize < total ? { page: page + 1, pageSize } : undefined,
  // The total is that of the entries before the last place, so it ends the walk although the page is always 1.
  before: ({ items, total = 0 }) =>
    items.length < total ? { before: (items.at(-1) as { readonly position: number }).position } : undefined,
}
