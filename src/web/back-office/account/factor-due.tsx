import { Link, useLocation } from 'wouter'
import { Notice } from '../../kit/controls.tsx'
import { useAccount } from '../../session/context.tsx'
import type { Account } from '../../session/realm.ts'

const ACCOUNT = '/console/account'

interface Staff extends Account {
  readonly secondFactorDue: boolean
}

/** Above each page: until then the account has no permission. */
export function FactorDue() {
  const { secondFactorDue } = useAccount<Staff>()
  const [location] = useLocation()
  if (!secondFactorDue) return null
  return (
    <Notice tone="warn">
      <p>
        All staff needs a second factor: set yours up{' '}
        {location === ACCOUNT ? 'here' : <Link href={ACCOUNT}>in your account</Link>} to go on.
      </p>
    </Notice>
  )
}
