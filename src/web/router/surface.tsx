/** Starts a surface: its session, its pages by path, its navigation. */
import '../kit/tokens.css'
import '../kit/base.css'
import '../kit/controls.css'
import '../kit/page.css'
import '../kit/table.css'
import '../kit/timeline.css'
import '../kit/palette.css'
import { lazy, StrictMode, Suspense, useEffect } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { Route, Router, Switch, useLocation } from 'wouter'
import type { Operation } from '#api-client/operation'
import { QuestionOfPages } from '../kit/discard-question.tsx'
import { Loading, Page } from '../kit/page.tsx'
import { PickersContext } from '../kit/pickers.ts'
import type { Picker } from '../kit/pickers.ts'
import { LargerPlanContext } from '../kit/refusal.tsx'
import type { PageSpec } from '../page-spec.ts'
import type { RecordSource } from '../palette/record-source.ts'
import { SessionProvider, useCan, useSession, useSessionState } from '../session/context.tsx'
import type { Account, Realm } from '../session/realm.ts'
import { createSession } from '../session/session.ts'
import { SignInPage, SignInSheet, UnreachedPage } from '../session/sign-in.tsx'
import { Failures } from './failures.tsx'
import { Frame, Outside } from './frame.tsx'
import { Offline } from './offline.tsx'
import { WrongOrigin } from './origin.tsx'
import { pageOfModule } from './page-of-module.tsx'
import { guardBrowserButtons, guardLinks } from './unsaved-guard.ts'

const Toasts = lazy(() => import('../kit/toasts.tsx'))

type Modules = Readonly<Record<string, () => Promise<unknown>>>

export interface SurfaceOptions<A extends Account> {
  readonly title: string
  readonly realm: Realm<A>
  readonly pages: Readonly<Record<string, PageSpec>>
  /** The page modules, by their path from the surface's folder: `./licenses/list.tsx`. */
  readonly modules: Modules
  readonly pickers?: Readonly<Record<string, Picker>>
  /** The records that the palette finds, besides pages. */
  readonly records?: readonly RecordSource[]
  /** Links below the form to sign in. */
  readonly doors?: ReactNode
  /** Follows the change feed; absent: what is shown is read again on focus and after own changes. */
  readonly live?: () => Promise<{ readonly default: ComponentType }>
  /** Above each page, such as a notice about the license. */
  readonly banner?: ComponentType
  /** Below a refusal for a limit of the license. */
  readonly largerPlan?: ReactNode
}

interface LoadedPage {
  readonly path: string
  readonly spec: PageSpec
  readonly Component: ComponentType
}

export function startSurface<A extends Account>(options: SurfaceOptions<A>): void {
  const session = createSession(options.realm)
  const loaded: LoadedPage[] = Object.entries(options.pages).map(([path, spec]) => ({
    path,
    spec,
    Component: pageOfModule(async () => {
      const load = options.modules[`./${spec.page}.tsx`]
      if (!load) throw new Error(`There is no page ${spec.page}`)
      return (await load()) as { default: ComponentType }
    }),
  }))
  const Live = options.live && lazy(options.live)
  createRoot(document.querySelector('#root')!).render(
    <StrictMode>
      <SessionProvider session={session}>
        <LargerPlanContext value={options.largerPlan}>
          <PickersContext value={options.pickers ?? {}}>
            <Router aroundNav={guardLinks}>
              <Failures>
                <WrongOrigin />
                <Offline />
                {Live && (
                  <Suspense>
                    <Live />
                  </Suspense>
                )}
                <Surface options={options} loaded={loaded} />
              </Failures>
            </Router>
            <Suspense>
              <Toasts />
            </Suspense>
            <QuestionOfPages />
          </PickersContext>
        </LargerPlanContext>
      </SessionProvider>
    </StrictMode>,
  )
  guardBrowserButtons()
  void session.start()
}

interface SurfaceProps {
  readonly options: Omit<SurfaceOptions<never>, 'realm'>
  readonly loaded: readonly LoadedPage[]
}

function Surface({ options, loaded }: SurfaceProps) {
  const { account, phase } = useSessionState()
  const [location] = useLocation()
  useEffect(() => {
    if (location) window.scrollTo(0, 0)
  }, [location])
  if (phase === 'starting') return <Loading />
  if (phase === 'out' || phase === 'unreached') {
    const open = loaded.filter(({ spec }) => spec.isPublic)
    const isOpen = open.some(({ path }) => path === location)
    if (!isOpen && phase === 'unreached') return <UnreachedPage title={options.title} />
    if (!isOpen) return <SignInPage title={options.title} doors={options.doors} />
    return (
      <Outside title={options.title}>
        <Pages pages={open} />
      </Outside>
    )
  }
  return (
    <>
      {/* Nothing of one account stays on the screen for the next one. */}
      <Frame key={account?.id} {...options}>
        <Pages pages={loaded} />
      </Frame>
      {phase === 'lost' && <SignInSheet />}
    </>
  )
}

function Pages({ pages }: { readonly pages: readonly LoadedPage[] }) {
  const [location] = useLocation()
  return (
    <Switch>
      {pages.map(({ path, spec, Component }) => (
        <Route key={path} path={path}>
          {/* Each record is a page of its own: what was typed, opened or failed on one does not move to the next. */}
          <Failures key={location}>
            <Allowed needs={spec.needs}>
              <Component />
            </Allowed>
          </Failures>
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  )
}

/** A page that the person may not open is as absent as one that does not exist. */
function Allowed({ needs, children }: { readonly needs: Operation | undefined; readonly children: ReactNode }) {
  const can = useCan()
  return needs && !can(needs) ? <NotFound /> : children
}

function NotFound() {
  const { realm } = useSession()
  return (
    <Page title="There is no such page">
      <p className="soft">The address is wrong, or your {realm.kind} account may not open it.</p>
    </Page>
  )
}
