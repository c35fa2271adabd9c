/** The parts of a record that are pages of their own, each with its address. */
import { Link, useLocation } from 'wouter'

export interface Tab {
  readonly to: string
  readonly title: string
}

export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const [location] = useLocation()
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ to, title }) => (
        <Link key={to} href={to} aria-current={location === to ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  )
}
