/** The ids of all items, in their order. */
export async function idsOf(items: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of items) ids.push(id)
  return ids
}
