/** What an agent needs for a login, read when it is asked. */
import { found } from '#kernel/lib/rejection'
import { registriesLogin } from '../../tasks/registries.ts'
import type { AskedAsk } from '../agent/asks.ts'
import { registries } from './decider.ts'

export const askedLogin: AskedAsk = {
  kind: registriesLogin,
  async secrets(params, { run }) {
    const { registryId } = registriesLogin.params.parse(params)
    const { username, password } = found(await run((unit) => unit.look(registries, registryId)))
    return { username, password }
  },
}
