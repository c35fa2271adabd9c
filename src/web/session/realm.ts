/** What the session of a surface needs to know: its operations, and who signs in there. */
import type { Operation, Shape } from '#api-client/operation'

/** The account of the person; a surface adds what its own accounts have. */
export interface Account {
  readonly id: string
  readonly email: string | null
  readonly name: string | null
  readonly totpEnabled: boolean
  /** Absent: the accounts of this realm have none. */
  readonly role?: string
  /** Absent: the accounts of this realm have none, and may call whatever is open to them. */
  readonly permissions?: readonly string[]
}

export interface SignedIn<A extends Account> {
  readonly accessToken: string
  readonly user: A
}

export interface SignIn {
  email: string
  password: string
  totp?: string | undefined
}

/** The code of a second factor; without one, the password. */
export type Proof = { code: string } | { password: string }

type Takes<Body, Data = unknown> = Operation<Shape & { readonly body: Body; readonly data: Data }>

export interface Realm<A extends Account = Account> {
  /** The kind of caller that its operations are open to, such as `staff`. */
  readonly kind: string
  readonly login: Takes<SignIn, SignedIn<A>>
  readonly refresh: Operation<Shape & { readonly data: SignedIn<A> }>
  readonly logout: Operation
  readonly me: Operation<Shape & { readonly data: A }>
  /** Absent: no operation of this realm asks for a fresh proof. */
  readonly stepUp?: Takes<Proof>
}
