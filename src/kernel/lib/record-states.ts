/**
 * The states in which a call can change a record. The rule that refuses all others and the routes that declare them
 * share one table, so each is spelled once.
 */

/** The values of each named field that fit; `set` is any value but null. All named fields must fit. */
export type States<Item> = { readonly [Field in keyof Item]?: readonly Item[Field][] | 'set' }

export const fits = <Item extends object>(item: Item, states: States<Item>): boolean =>
  Object.entries<readonly unknown[] | 'set'>(states as Readonly<Record<string, readonly unknown[] | 'set'>>).every(
    ([field, values]) => {
      const value = item[field as keyof Item]
      return values === 'set' ? value !== null : values.includes(value)
    },
  )
