import { routes } from '../app.ts'

const REACH: Readonly<Record<string, string>> = { token: 'machine token', signed: 'license key' }

/** What each route needs, derived from its declaration. */
export async function listRoutes(): Promise<void> {
  const rows = routes.map(({ line, access: { kinds, permission, by } }) => {
    const isOpen = kinds.length === 0
    const [method = '', path = ''] = line.split(' ')
    return {
      method,
      path,
      needs: isOpen ? 'nothing' : (permission ?? (by === undefined ? 'a session' : 'a signature')),
      reach: isOpen ? 'public' : kinds.map((kind) => REACH[kind] ?? kind).join(', '),
    }
  })
  const width = (column: keyof (typeof rows)[number]) => Math.max(...rows.map((row) => row[column].length))
  const widths = { method: width('method'), path: width('path'), needs: width('needs') }
  for (const { method, path, needs, reach } of rows.toSorted((one, other) => (one.path < other.path ? -1 : 1)))
    console.log([method.padEnd(widths.method), path.padEnd(widths.path), needs.padEnd(widths.needs), reach].join('  '))
  const opened = rows.filter(({ reach }) => reach.includes('token')).length
  console.log(`\n${rows.length} routes, ${opened} of them opened to machine tokens.`)
}
