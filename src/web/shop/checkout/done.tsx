import { useSearchParams } from 'wouter'
import { getShopCheckoutById } from '#api-client/licensing/shop'
import { ButtonLink, Notice } from '../../kit/controls.tsx'
import { Page, Shown } from '../../kit/page.tsx'
import { useAnswerIf } from '../../session/context.tsx'

/** The provider leads here; the payment itself is told to the service by the provider. */
export default function CheckoutDone() {
  const [search] = useSearchParams()
  const id = search.get('checkout') ?? ''
  const checkout = useAnswerIf(id !== '', getShopCheckoutById, { params: { id } }, (data) => data?.status === 'OPEN')
  return (
    <Page title="Checkout">
      {id === '' ? (
        <p>This page is opened after a payment.</p>
      ) : (
        <Shown answer={checkout}>
          {({ status, subscriptionId }) => (
            <div className="stack">
              {status === 'OPEN' && <Notice>The payment is not confirmed yet. This page shows it when it is.</Notice>}
              {status === 'PAID' && (
                <Notice tone="good" isUrgent>
                  Thank you. Your license is ready.
                </Notice>
              )}
              {status === 'EXPIRED' && (
                <Notice tone="warn" isUrgent>
                  This checkout has ended without a payment. Nothing was charged.
                </Notice>
              )}
              <div className="row">
                {status === 'PAID' && (
                  <ButtonLink to={`/shop/subscriptions/${subscriptionId}`} tone="main">
                    Open the subscription
                  </ButtonLink>
                )}
                <ButtonLink to="/shop/plans">Plans</ButtonLink>
              </div>
            </div>
          )}
        </Shown>
      )}
    </Page>
  )
}
