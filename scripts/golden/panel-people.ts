/** The people of the panel's tale, and how they get an account. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Service } from '../../src/composition/service.ts'
import { GOLDEN, PASSWORDS } from './telling.ts'
import type { Answered, Call, Chapters } from './telling.ts'

export interface PanelTeller extends Chapters {
  readonly panel: Service
  readonly url: string
  readonly baseUrl: string
  /** Runs the reactions and timers that are due. */
  settle(): Promise<unknown>
  /** The token in the newest mail to an address. */
  mailed(email: string): string
}

export interface Person {
  readonly id: string
  readonly email: string
  readonly as: string
}

/** Decided as the system, where no route exists, or none that acts so soon. */
export function told<Result>({ panel, world }: PanelTeller, work: (unit: UnitOfWork) => Promise<Result>) {
  world.tick()
  return panel.commands.run(GOLDEN, work)
}

export const signIn = (call: Call, email: string, password: string = PASSWORDS[0], totp?: string): Promise<Answered> =>
  call('POST /api/auth/login', { body: { email, password, ...(totp === undefined ? {} : { totp }) } })

export async function signedIn(call: Call, email: string, password?: string): Promise<Person> {
  const { accessToken: as, user } = (await signIn(call, email, password)).body
  return { id: user.id, email, as }
}

/** An account that has registered and opened the link. */
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
