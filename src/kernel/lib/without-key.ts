/** A copy of a record without one of its keys, such as items by their ids. */
export function withoutKey<Value>(all: Readonly<Record<string, Value>>, key: string): Readonly<Record<string, Value>> {
  const { [key]: _removed, ...others } = all
  return others
}
