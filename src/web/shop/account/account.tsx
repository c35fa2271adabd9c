import {
  deleteShopAccount,
  patchShopMe,
  postShopAccountExport,
  postShopAuth2faDisable,
  postShopAuth2faEnable,
  postShopAuth2faSetup,
  postShopAuthPassword,
} from '#api-client/licensing/shop'
import { Action } from '../../kit/action.tsx'
import { Button, Fact, Facts, Part } from '../../kit/controls.tsx'
import { AccountPage } from '../../session/account.tsx'
import { useAccount, useSession } from '../../session/context.tsx'
import { useDownload } from '../../session/download.ts'
import type { Account } from '../../session/realm.ts'

interface Customer extends Account {
  readonly company: string | null
}

export default function OwnAccount() {
  const { name, company } = useAccount<Customer>()
  const { reread, signOut } = useSession()
  const download = useDownload()
  return (
    <AccountPage
      operations={{
        changePassword: postShopAuthPassword,
        setup: postShopAuth2faSetup,
        enable: postShopAuth2faEnable,
        disable: postShopAuth2faDisable,
      }}
    >
      <Part
        title="On invoices"
        actions={
          <Action
            operation={patchShopMe}
            initial={{ name, company }}
            label="Change"
            title="Change name and company"
            done="Changed"
            onDone={() => void reread()}
          />
        }
      >
        <Facts>
          <Fact label="Name">{name}</Fact>
          <Fact label="Company">{company}</Fact>
        </Facts>
      </Part>
      <Part title="Your data">
        <div className="row">
          <Button onClick={() => void download(postShopAccountExport, {}, 'daybook-account.json')}>
            Export everything
          </Button>
          <Action
            operation={deleteShopAccount}
            label="Erase the account"
            tone="bad"
            about={
              <p>Your name, your address and your sign-in are erased for good. Licenses end. Invoices are kept.</p>
            }
            labels={{ confirmEmail: 'Type your e-mail address' }}
            done="The account is erased"
            onDone={() => void signOut()}
          />
        </div>
      </Part>
    </AccountPage>
  )
}
