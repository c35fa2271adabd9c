/** The parts of a record that are pages of their own, each with its address. */
import { Link, useLocation } from 'wouter'
import { chosenOf } from './chosen.ts'

export interface Tab {
  readonly to: string
  readonly title: string
}

export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const [location] = useLocation()
  const paths = tabs.map(({ to }) => to)
  const chosen = chosenOf(location, paths, paths[0] ?? '')
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ to, title }) => (
        <Link key={to} href={to} aria-current={to === chosen ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  )
}
