/** Checks a login at a registry from this host, which may reach what the panel does not. */
import { LOGIN_MS, registriesLogin, RegistryCredentials } from '../../tasks/registries.ts'
import { checkRegistryLogin } from '../../tasks/registry-login.ts'
import { asker } from '../performer.ts'

export const loginAsker = asker(registriesLogin, ({ address, publicOnly }, { secrets, signal }) =>
  checkRegistryLogin(
    { address, publicOnly, ...RegistryCredentials.parse(secrets) },
    AbortSignal.any([signal, AbortSignal.timeout(LOGIN_MS)]),
  ),
)
