/** The people of the panel's tale, and how they come in. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Service } from '../../src/composition/service.ts'
import { GOLDEN, PASSWORDS } from './telling.ts'
import type { Answered, Call } from './telling.ts'

export interface PanelTeller {
  readonly panel: Service
  readonly url: string
  readonly baseUrl: string
  /** Has done what follows. */
  settle(): Promise<unknown>
  /** The token in the newest mail to somebody. */
  mailed(email: string): string
}

export interface Person {
  readonly id: string
  readonly email: string
  readonly as: string
}

/** Decided in the name of the system, where no route leads there, or none so soon. */
export const told = <Result>({ panel }: PanelTeller, work: (unit: UnitOfWork) => Promise<Result>) =>
  panel.commands.run(GOLDEN, work)

export const signIn = (call: Call, email: string, password: string = PASSWORDS[0], totp?: string): Promise<Answered> =>
  call('POST /api/auth/login', { body: { email, password, ...(totp === undefined ? {} : { totp }) } })

export async function signedIn(call: Call, email: string, password?: string): Promise<Person> {
  const { accessToken: as, user } = (await signIn(call, email, password)).body
  return { id: user.id, email, as }
}

/** Somebody who has registered and opened the link. */
export async function registered(call: Call, teller: PanelTeller, name: string): Promise<Person> {
  const email = `${name.toLowerCase()}@panel.test`
  await call('POST /api/auth/register', { body: { email, password: PASSWORDS[0], name } })
  await teller.settle()
  const { accessToken: as, user } = (
    await call('POST /api/auth/verify-email', { body: { token: teller.mailed(email) } })
  ).body
  await teller.settle()
  return { id: user.id, email, as }
}
