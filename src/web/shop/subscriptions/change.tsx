import { useState } from 'react'
import { patchShopSubscriptionsById, postShopSubscriptionsByIdChangePreview } from '#api-client/licensing/shop'
import type { getShopSubscriptionsById } from '#api-client/licensing/shop'
import type { DataOf } from '#api-client/operation'
import { Button, Fact, Facts } from '../../kit/controls.tsx'
import { OperationForm } from '../../kit/form.tsx'
import { money } from '../../kit/money.ts'
import { wouldChange } from '../../kit/offered.ts'
import { Dialog, tell } from '../../kit/overlay.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'

type Preview = DataOf<typeof postShopSubscriptionsByIdChangePreview>

interface Previewed {
  readonly preview: Preview
  readonly ask: Readonly<Record<string, unknown>>
}

/** The change must be the one that was previewed, to the field. */
const UNSAID = { planSlug: undefined, seats: undefined, billingCycle: undefined, effective: undefined }

interface ChangeSubscriptionProps {
  readonly subscription: DataOf<typeof getShopSubscriptionsById>
}

/** A change is looked at before it is made; the price that was shown is the price that holds. */
export function ChangeSubscription({ subscription }: ChangeSubscriptionProps) {
  const { id, planSlug, seats, billingCycle } = subscription
  const [isOpen, setOpen] = useState(false)
  const [previewed, setPreviewed] = useState<Previewed>()
  if (!wouldChange(patchShopSubscriptionsById, subscription)) return null
  const close = (): void => {
    setOpen(false)
    setPreviewed(undefined)
  }
  const input = { params: { id } }
  return (
    <>
      <Button onClick={() => setOpen(true)}>Change</Button>
      <Dialog title={previewed ? 'The change' : 'Change the subscription'} isOpen={isOpen} onClose={close}>
        {previewed ? (
          <>
            <Compared preview={previewed.preview} />
            <OperationForm
              operation={patchShopSubscriptionsById}
              input={input}
              fixed={{ ...UNSAID, ...previewed.ask, previewToken: previewed.preview.previewToken }}
              submit="Make this change"
              onCancel={() => setPreviewed(undefined)}
              onDone={() => {
                close()
                tell('The subscription is changed')
              }}
            />
          </>
        ) : (
          <OperationForm
            operation={postShopSubscriptionsByIdChangePreview}
            input={input}
            initial={{ planSlug, seats, billingCycle }}
            submit="Show what it costs"
            onCancel={close}
            onDone={(preview, ask) => setPreviewed({ preview, ask })}
          />
        )}
      </Dialog>
    </>
  )
}

const Compared = ({ preview: { current, next, lines, dueNow, effectiveAt } }: { readonly preview: Preview }) => (
  <Facts>
    <Fact label="Plan">
      {current.planSlug} → <strong>{next.planSlug}</strong>
    </Fact>
    <Fact label="Seats">
      {current.seats} → <strong>{next.seats}</strong>
    </Fact>
    <Fact label="Cycle">
      {wordOf(current.billingCycle)} → <strong>{wordOf(next.billingCycle)}</strong>
    </Fact>
    {lines.map(({ label, amount }) => (
      <Fact key={label} label={label}>
        {money(amount, next.currency)}
      </Fact>
    ))}
    <Fact label="Due now">
      <strong>{money(dueNow, next.currency)}</strong>
    </Fact>
    <Fact label="In effect">
      <Time at={effectiveAt} />
    </Fact>
  </Facts>
)
