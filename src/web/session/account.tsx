/** The person's own account: password, second factor, sessions. The same on every surface. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { renderSVG } from 'uqr'
import type { Operation, Shape } from '#api-client/operation'
import { Action } from '../kit/action.tsx'
import { Fact, Facts, Part, ToneText } from '../kit/controls.tsx'
import { Page } from '../kit/page.tsx'
import { SecretText } from '../kit/reveal.tsx'
import { RecordTable } from '../kit/table.tsx'
import { Time } from '../kit/time.tsx'
import { useAccount, useSession } from './context.tsx'

interface OwnSession {
  readonly id: string
  readonly createdAt: string
  readonly lastUsedAt: string
  readonly ip: string | null
  readonly userAgent: string | null
  readonly current: boolean
}

interface NewFactor {
  readonly secret: string
  readonly otpauthUrl: string
}

export interface AccountOperations {
  readonly changePassword: Operation
  readonly setup: Operation<Shape & { readonly data: NewFactor }>
  readonly enable: Operation<Shape & { readonly data: { readonly backupCodes: readonly string[] } }>
  readonly disable: Operation
  /** Absent: the accounts of this realm cannot list their sessions. */
  readonly sessions?: OwnSessionOperations
}

interface OwnSessionOperations {
  readonly list: Operation<Shape & { readonly data: { readonly items: readonly OwnSession[] } | readonly OwnSession[] }>
  readonly endOne: Operation
  readonly endOthers: Operation
}

interface AccountPageProps {
  readonly operations: AccountOperations
  /** The name and what belongs to it, where the person can change them; it stands first. */
  readonly profile?: ReactNode
  /** What the accounts of this surface have besides. */
  readonly children?: ReactNode
}

export function AccountPage({ operations, profile, children }: AccountPageProps) {
  const { email, name, totpEnabled } = useAccount()
  const { changePassword, sessions } = operations
  return (
    <Page title="Account">
      {profile}
      <Part
        title="Sign-in"
        actions={
          <>
            <Action operation={changePassword} label="Change password" done="Your password is changed" />
            <SecondFactor operations={operations} isOn={totpEnabled} />
          </>
        }
      >
        <Facts>
          {!profile && <Fact label="Name">{name}</Fact>}
          <Fact label="E-mail address">{email}</Fact>
          <Fact label="Second factor">
            <ToneText tone={totpEnabled ? 'good' : 'warn'}>{totpEnabled ? 'On' : 'Off'}</ToneText>
          </Fact>
        </Facts>
      </Part>
      {children}
      {sessions && <OwnSessions operations={sessions} />}
    </Page>
  )
}

const OwnSessions = ({ operations: { list, endOne, endOthers } }: { readonly operations: OwnSessionOperations }) => (
  <Part
    title="Sessions"
    actions={
      <Action
        operation={endOthers}
        label="End all others"
        about={<p>Every browser but this one is signed out at once.</p>}
        done="All other sessions have ended"
      />
    }
  >
    <RecordTable
      operation={list}
      caption="Your sessions"
      keyOf={({ id }) => id}
      columns={[
        { label: 'Browser', of: ({ userAgent }) => browserOf(userAgent) },
        { label: 'Address', of: ({ ip }) => ip ?? '–' },
        { label: 'Begun', of: ({ createdAt }) => <Time at={createdAt} /> },
        { label: 'Last used', of: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
        {
          label: 'This session',
          of: ({ id, current }) =>
            current ? (
              <ToneText tone="good">This one</ToneText>
            ) : (
              <Action
                operation={endOne}
                input={{ params: { id } }}
                label="End"
                title="End this session"
                tone="quiet"
                done="The session has ended"
              />
            ),
        },
      ]}
      empty={<p className="soft">There is no session.</p>}
    />
  </Part>
)

const BROWSERS = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'] as const
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux'] as const
const NAMES: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS': 'macOS' }

/** Browser and system, where the header names them; otherwise the header. */
function browserOf(userAgent: string | null): string {
  if (userAgent === null) return '–'
  const [browser, system] = [BROWSERS, SYSTEMS].map((known) => known.find((each) => userAgent.includes(each)))
  if (!browser) return userAgent
  return [browser, system].flatMap((each) => (each ? [NAMES[each] ?? each] : [])).join(' on ')
}

interface SecondFactorProps {
  readonly operations: AccountOperations
  readonly isOn: boolean
}

function SecondFactor({ operations: { setup, enable, disable }, isOn }: SecondFactorProps) {
  const { reread } = useSession()
  const [made, setMade] = useState<NewFactor>()
  const again = (): void => void reread().catch(() => {})
  if (isOn)
    return (
      <Action
        operation={disable}
        label="Switch the second factor off"
        tone="bad"
        about={<p>Your password alone will be enough to sign in. Your other sessions end.</p>}
        hasNewPassword={false}
        done="The second factor is off"
        onDone={again}
      />
    )
  if (!made)
    return (
      <Action
        operation={setup}
        label="Set up a second factor"
        hasNewPassword={false}
        submit="Continue"
        done="Now scan the code"
        onDone={setMade}
      />
    )
  return (
    <Action
      operation={enable}
      label="Enter the first code"
      title="Scan the code with your app"
      hasNewPassword={false}
      about={<FactorCode of={made} />}
      submit="Switch it on"
      secrets={({ backupCodes }) => [
        { label: 'Backup codes', text: backupCodes.join('\n'), file: 'daybook-backup-codes.txt' },
      ]}
      onDone={() => {
        setMade(undefined)
        again()
      }}
    />
  )
}

function FactorCode({ of: { otpauthUrl, secret } }: { readonly of: NewFactor }) {
  const [picture] = useState(() => URL.createObjectURL(new Blob([renderSVG(otpauthUrl)], { type: 'image/svg+xml' })))
  return (
    <>
      <img
        alt="QR code for your authenticator app"
        width="180"
        height="180"
        src={picture}
        onLoad={() => URL.revokeObjectURL(picture)}
      />
      <SecretText label="Or type this secret" text={secret} />
    </>
  )
}
