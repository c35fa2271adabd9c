import { Link, useLocation } from 'wouter'
import { getAdminCustomers, postAdminCustomers } from '#api-client/licensing/customers'
import { Action } from '../../kit/action.tsx'
import { Empty, State, Value } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { useBulkBar } from '../bulk/bulk-bar.tsx'
import { ExportMenu } from '../exports/export-menu.tsx'

export default function Customers() {
  const selection = useBulkBar('customers')
  return (
    <Page
      title="Customers"
      actions={
        <>
          <ExportMenu resource="customers" />
          <NewCustomer />
        </>
      }
    >
      <RecordTable
        operation={getAdminCustomers}
        caption="Customers"
        filters={['q', 'status']}
        labels={{ q: 'Id or whole address' }}
        keyOf={({ id }) => id}
        selection={selection}
        columns={[
          { label: 'Customer', of: ({ id, email }) => <Link href={`/console/customers/${id}`}>{email}</Link> },
          { label: 'Name', of: ({ name }) => <Value of={name} /> },
          { label: 'Company', of: ({ company }) => <Value of={company} /> },
          { label: 'State', of: ({ status }) => <State of={status} /> },
          { label: 'Since', sort: 'createdAt', of: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={
          <Empty>
            A customer is an account that holds subscriptions. Provisioning and the shop create customers too.
          </Empty>
        }
      />
    </Page>
  )
}

function NewCustomer() {
  const [, go] = useLocation()
  return (
    <Action
      operation={postAdminCustomers}
      label="New customer"
      tone="main"
      submit="Create"
      labels={{ email: 'E-mail address' }}
      done="The customer is created"
      onDone={({ id }) => go(`/console/customers/${id}`)}
    />
  )
}
