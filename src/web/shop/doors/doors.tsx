import { Link } from 'wouter'

/** The other ways in, below the form to sign in. */
export const Doors = () => (
  <nav className="stack" aria-label="Other ways in">
    <Link href="/shop/register">Make an account</Link>
    <Link href="/shop/forgot-password">I forgot my password</Link>
    <Link href="/shop/plans">See the plans</Link>
  </nav>
)
