import { routes } from '../app.ts'

/** What each route needs, derived from its declaration. */
export async function listRoutes(): Promise<void> {
  const rows = routes.map(({ line, access: { kinds, permission } }) => {
    const [method = '', path = ''] = line.split(' ')
    return {
      method,
      path,
      needs: kinds.length === 0 ? 'nothing' : (permission ?? 'a session'),
      reach: kinds.length === 0 ? 'public' : kinds.includes('token') ? 'staff, machine token' : 'staff',
    }
  })
  const width = (column: keyof (typeof rows)[number]) => Math.max(...rows.map((row) => row[column].length))
  const widths = { method: width('method'), path: width('path'), needs: width('needs') }
  for (const { method, path, needs, reach } of rows.toSorted((one, other) => (one.path < other.path ? -1 : 1)))
    console.log([method.padEnd(widths.method), path.padEnd(widths.path), needs.padEnd(widths.needs), reach].join('  '))
  const opened = rows.filter(({ reach }) => reach.includes('token')).length
  console.log(`\n${rows.length} routes, ${opened} of them opened to machine tokens.`)
}
