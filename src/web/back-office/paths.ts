/** The page of a record, by what the audit trail calls its kind. */

const PAGES: Readonly<Record<string, string>> = {
  customer: 'customers',
  subscription: 'subscriptions',
  license: 'licenses',
  instance: 'panels',
  plan: 'plans',
  machineToken: 'tokens',
  feature: 'features',
  version: 'releases',
  token: 'tokens',
  bulk: 'bulk',
  webhook: 'webhooks',
}

export const AUDIT = '/console/audit'

export function pathOf(kind: string, id: string): string | undefined {
  const page = PAGES[kind]
  return page && `/console/${page}/${id}`
}
