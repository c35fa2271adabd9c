import { useParams } from 'wouter'
import { getAdminCustomersById, getAdminCustomersByIdHistory } from '#api-client/licensing/customers'
import { Fact, Facts, Part, State } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswer } from '../../session/context.tsx'
import { RecordHistory } from '../records/history.tsx'
import { CustomerActions } from './actions.tsx'
import { CustomerLicenses, CustomerPanels, CustomerSubscriptions } from './holdings.tsx'
import { CustomerCredit, CustomerInvoices, CustomerPayments } from './payments.tsx'

export default function CustomerRecord() {
  const { id } = useParams<{ id: string }>()
  const customer = useAnswer(getAdminCustomersById, { params: { id } })
  return (
    <RecordPage
      kind="Customer"
      parent={{ to: '/console/customers', title: 'Customers' }}
      answer={customer}
      title={({ email, status }) => (status === 'ERASED' ? 'Erased customer' : email)}
      state={({ status }) => <State of={status} />}
      actions={(data) => <CustomerActions customer={data} />}
    >
      {(data) => (
        <>
          <div className="columns">
            <Part title="Account">
              <Facts>
                <Fact label="Name">{data.name}</Fact>
                <Fact label="Company">{data.company}</Fact>
                <Fact label="Id">
                  <code>{id}</code>
                </Fact>
              </Facts>
            </Part>
            <Part title="At a glance">
              <Facts>
                <Fact label="Subscriptions">{data.counts.subscriptions}</Fact>
                <Fact label="Licenses in effect">{data.counts.activeLicenses}</Fact>
                <Fact label="Customer since">
                  <Time at={data.createdAt} />
                </Fact>
              </Facts>
            </Part>
          </div>
          <CustomerSubscriptions id={id} status={data.status} />
          <CustomerLicenses id={id} />
          <CustomerPanels id={id} />
          <CustomerPayments id={id} />
          <CustomerInvoices id={id} />
          <CustomerCredit id={id} balance={data.credit} />
          <RecordHistory id={id} operation={getAdminCustomersByIdHistory} />
        </>
      )}
    </RecordPage>
  )
}
