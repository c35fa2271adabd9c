import type { Break } from './breaks.ts'

const RESOURCE = 'src/kernel/resource/resource.ts'
const kit = 'test/kernel/resource/kit.test.ts'
const crud = 'test/house/crud.test.ts'

/** The kit of plain sections: what every resource and record promises. */
export const kitBreaks: readonly Break[] = [
  {
    promise: 'kit: no two items have the same unique value',
    file: RESOURCE,
    find: 'compared(each[field]) === compared(item[field])',
    replace: 'each[field] === item[field]',
    test: kit,
    named: 'unknown items, taken names',
  },
  {
    promise: 'kit: there are no more items than declared',
    file: RESOURCE,
    find: 'all.length >= itemsMax',
    replace: 'all.length > itemsMax',
    test: kit,
    named: 'unknown items, taken names',
  },
  {
    promise: 'kit: a rule of its own sees the changed item',
    file: RESOURCE,
    find: 'rule?.([...others, item])',
    replace: 'rule?.(others)',
    test: kit,
    named: 'broken rules are refused',
  },
  {
    promise: 'kit: a change keeps the values that are left out',
    file: 'src/kernel/resource/fields.ts',
    find: '{ ...valuesOf(fields, holder), ...Object',
    replace: '{ ...holder, ...changes, ...Object',
    test: kit,
    named: 'an item is created, changed and deleted',
  },
  {
    promise: 'kit: a change of nothing writes nothing',
    file: 'src/kernel/resource/fields.ts',
    find: 'isDeepStrictEqual(changes[name], holder[name])',
    replace: 'changes[name] === holder[name]',
    test: kit,
    named: 'writes nothing',
  },
  {
    promise: 'kit: a PATCH sets no default',
    file: 'src/kernel/resource/change-of.ts',
    find: '? withoutDefault(schema.def.innerType) : schema',
    replace: '? schema : schema',
    test: kit,
    named: 'without defaults',
  },
  {
    promise: 'kit: no route takes a moment that no column holds',
    file: 'src/kernel/lib/timestamps.ts',
    find: "  .refine(isStorableMoment, 'must be a moment of the years 1 to 9999 in UTC')\n",
    replace: '',
    test: crud,
    named: 'moments that no column holds',
  },
  {
    promise: 'no more than 20 announcements are visible at once',
    file: 'src/licensing/announcements/resource.ts',
    find: 'length > VISIBLE_MAX',
    replace: 'length > VISIBLE_MAX + 1',
    test: 'test/licensing/announcements/announcements.test.ts',
    named: 'at most 20',
  },
  {
    promise: 'customers read no announcement outside its period',
    file: 'src/licensing/announcements/routes.ts',
    find: ".where('visibleUntil', '>', now.toISOString())",
    replace: '',
    test: 'test/licensing/announcements/announcements.test.ts',
    named: 'visible now',
  },
]
