import { deleteShopAccount } from '#api-client/licensing'
import { Action } from '../../kit/action.tsx'
import { Page } from '../../kit/page.tsx'

export default function OwnAccount() {
  return (
    <Page title="Account" actions={<Action operation={deleteShopAccount} label="Erase my account" tone="bad" />}>
      <p>Your name, your address and your sign-in are erased for ever. Invoices are kept as the law demands.</p>
    </Page>
  )
}
