/** The frame of all pages of a surface: navigation beside them, or behind a button on a narrow screen. */
import { lazy, Suspense, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { chosenOf } from '../kit/chosen.ts'
import { Button } from '../kit/controls.tsx'
import { Mark } from '../kit/icon.tsx'
import { Drawer, Menu, MenuItem, tell } from '../kit/overlay.tsx'
import { textOf } from '../kit/refusal.tsx'
import type { PageSpec } from '../page-spec.ts'
import type { OpenDialog } from '../palette/keyboard.tsx'
import type { RecordSource } from '../palette/record-source.ts'
import { useAccount, useCan, useSession } from '../session/context.tsx'
import { chooseTheme, THEMES, themeNow } from './theme.ts'

const Keyboard = lazy(() => import('../palette/keyboard.tsx'))

interface FrameProps {
  readonly title: string
  readonly pages: Readonly<Record<string, PageSpec>>
  readonly banner?: ComponentType | undefined
  /** The records that the palette finds. */
  readonly records?: readonly RecordSource[] | undefined
  readonly children: ReactNode
}

export function Frame({ title, pages, banner: Banner, records = [], children }: FrameProps) {
  const [isOpen, setOpen] = useState(false)
  const [dialog, setDialog] = useState<OpenDialog>()
  const showKeys = (): void => {
    setOpen(false)
    setDialog('keys')
  }
  const navigation = <Navigation title={title} pages={pages} onChosen={() => setOpen(false)} onShowKeys={showKeys} />
  const goTo = <Button onClick={() => setDialog('palette')}>Go to</Button>
  return (
    <div className="app">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="rail">
        {goTo}
        {navigation}
      </header>
      <header className="topbar">
        <Button tone="quiet" aria-label="Menu" onClick={() => setOpen(true)}>
          ☰
        </Button>
        <span className="brand">
          <Mark /> {title}
        </span>
        {goTo}
      </header>
      <Drawer title="Menu" isOpen={isOpen} onClose={() => setOpen(false)}>
        {navigation}
      </Drawer>
      <main id="main" tabIndex={-1}>
        <Suspense>{Banner && <Banner />}</Suspense>
        {children}
      </main>
      <Suspense fallback={null}>
        <Keyboard pages={pages} sources={records} shown={dialog} onShow={setDialog} />
      </Suspense>
    </div>
  )
}

/** A page that is shown without a session. */
export function Outside({ title, children }: Pick<FrameProps, 'title' | 'children'>) {
  const home = homePath()
  return (
    <div className="outside">
      <header className="row">
        <Link href={home} className="brand">
          <Mark /> {title}
        </Link>
        <Link href={home}>Sign in</Link>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

const homePath = (): string => document.querySelector<HTMLMetaElement>('meta[name=base]')?.content ?? '/'

interface NavigationProps extends Pick<FrameProps, 'title' | 'pages'> {
  readonly onChosen: () => void
  readonly onShowKeys: () => void
}

function Navigation({ title, pages, onChosen, onShowKeys }: NavigationProps) {
  const can = useCan()
  const [location] = useLocation()
  const shown = Object.entries(pages).filter(
    ([, { section, needs }]) => section !== undefined && (!needs || can(needs)),
  )
  const sections = Object.entries(Object.groupBy(shown, ([, { section }]) => section!))
  const home = homePath()
  const inNavigation = shown.map(([path]) => path)
  const chosen = chosenOf(location, inNavigation, home) ?? (isListedAtHome(location, pages) ? home : undefined)
  return (
    <>
      <Link href={home} className="brand" onClick={onChosen}>
        <Mark /> {title}
      </Link>
      <nav className="nav" aria-label="Pages">
        {sections.map(([section, ofSection = []]) => (
          <div key={section}>
            {section !== '' && <h2>{section}</h2>}
            <ul>
              {ofSection.map(([path, { title: name }]) => (
                <li key={path}>
                  <Link href={path} aria-current={path === chosen ? 'page' : undefined} onClick={onChosen}>
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <AccountMenu onShowKeys={onShowKeys} />
    </>
  )
}

/** Whether the page shows a record whose list is the first page, such as a project of the panel. */
const isListedAtHome = (location: string, pages: NavigationProps['pages']): boolean =>
  Object.keys(pages).some((path) => {
    const [list = path, parameter] = path.split('/:')
    return parameter !== undefined && pages[list] === undefined && location.startsWith(`${list}/`)
  })

function AccountMenu({ onShowKeys }: Pick<NavigationProps, 'onShowKeys'>) {
  const { email, name } = useAccount()
  const { signOut } = useSession()
  const [, go] = useLocation()
  const [theme, setTheme] = useState(themeNow)
  const home = homePath()
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!
  return (
    <Menu label={name ?? email ?? 'Account'}>
      <MenuItem onSelect={() => go(home === '/' ? '/account' : `${home}/account`)}>Account</MenuItem>
      <MenuItem onSelect={onShowKeys}>Keys</MenuItem>
      <MenuItem onSelect={() => setTheme(chooseTheme(next))}>Theme: {theme}</MenuItem>
      <MenuItem onSelect={() => void signOut().catch((error: Error) => tell(textOf(error)))}>Sign out</MenuItem>
    </Menu>
  )
}
