/** What may be done with a customer. An erased one is kept as it is. */
import {
  getAdminCustomersByIdExport,
  patchAdminCustomersById,
  patchAdminCustomersByIdStatus,
  postAdminCustomersByIdCredits,
  postAdminCustomersByIdErase,
  postAdminCustomersByIdResetPassword,
} from '#api-client/licensing/customers'
import type { getAdminCustomersById } from '#api-client/licensing/customers'
import type { DataOf } from '#api-client/operation'
import { Action } from '../../kit/action.tsx'
import { Actions, Trigger } from '../../kit/actions.tsx'
import { useCan } from '../../session/context.tsx'
import { useDownload } from '../../session/download.ts'

interface CustomerProps {
  readonly customer: DataOf<typeof getAdminCustomersById>
}

export function CustomerActions({ customer }: CustomerProps) {
  const { id, email, name, company } = customer
  const input = { params: { id } }
  return (
    <Actions
      more={
        <>
          <Action
            operation={postAdminCustomersByIdCredits}
            input={input}
            label="Grant credit"
            about={<p>Credit pays the next charges of this customer in its currency.</p>}
            record={customer}
            done="The credit is granted"
          />
          <ExportCustomer id={id} />
          <Action
            operation={patchAdminCustomersByIdStatus}
            input={input}
            fixed={{ status: 'SUSPENDED' }}
            label="Suspend"
            about={<p>Until the customer is activated again, none of its licenses is valid and nothing can be sold.</p>}
            record={customer}
            done="The customer is suspended"
          />
          <Action
            operation={postAdminCustomersByIdErase}
            input={input}
            label="Erase"
            tone="bad"
            title="Erase this customer"
            about={<AboutErasing />}
            labels={{ confirmEmail: `To confirm, type ${email}` }}
            record={customer}
            done="The customer is erased"
          />
        </>
      }
    >
      <Action
        operation={patchAdminCustomersById}
        input={input}
        label="Change"
        title="Name and company"
        submit="Save"
        initial={{ name, company }}
        record={customer}
        done="The customer is changed"
      />
      <Action
        operation={postAdminCustomersByIdResetPassword}
        input={input}
        label="Mail a password link"
        about={
          <p>
            {email} receives a link to set a password for the shop, also a first one. It works once, for a short time.
          </p>
        }
        submit="Mail it"
        record={customer}
        done="The link is mailed"
      />
      <Action
        operation={patchAdminCustomersByIdStatus}
        input={input}
        fixed={{ status: 'ACTIVE' }}
        label="Activate"
        about={<p>Licenses that this suspension held back are valid again.</p>}
        record={customer}
        done="The customer is active again"
      />
    </Actions>
  )
}

const AboutErasing = () => (
  <>
    <p>This cannot be undone.</p>
    <ul>
      <li>Every subscription ends, and every license is revoked.</li>
      <li>
        Names and addresses become unreadable everywhere, in the history too: the key that seals them is destroyed.
      </li>
      <li>Invoices stay, as the law asks.</li>
    </ul>
  </>
)

/** Every export is recorded, so it is a button and no link. */
function ExportCustomer({ id }: { readonly id: string }) {
  const can = useCan()
  const download = useDownload()
  return (
    <Trigger
      label="Export"
      isHidden={!can(getAdminCustomersByIdExport)}
      onPress={() => void download(getAdminCustomersByIdExport, { params: { id } }, `customer-${id}.json`)}
    />
  )
}
