/** The possible states of a payment and of credit. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { Rejection } from '#kernel/lib/rejection'
import { credits } from '#licensing/payments/credits/decider'
import { CreditGranted, CreditReturned, CreditSpent } from '#licensing/payments/credits/events'
import { payments } from '#licensing/payments/decider'
import {
  DISPUTE_STATUSES,
  PaymentCancelled,
  PaymentDisputeClosed,
  PaymentDisputed,
  PaymentFailed,
  PaymentRecorded,
  PaymentRefundFailed,
  PaymentRefundRequested,
  PaymentRefunded,
  PaymentRequested,
  PaymentSettled,
} from '#licensing/payments/events'
import { formatAmount } from '#licensing/payments/money'
import { AT, given } from '#test/support/decider-spec'
import { CUSTOMER_ID, SUBSCRIPTION_ID } from '../../support/licensing/examples.ts'

const PAYMENT_ID = '01890000-0000-7000-8000-0000000000a1'
const REFUND_ID = '01890000-0000-7000-8000-0000000000a2'
const OTHER_REFUND_ID = '01890000-0000-7000-8000-0000000000a3'
const ids = { paymentId: PAYMENT_ID, customerId: CUSTOMER_ID, subscriptionId: SUBSCRIPTION_ID }
const by = { provider: 'manual', providerRef: null, method: 'CASH', note: null }

const requested = PaymentRequested({
  ...ids,
  purpose: 'RENEWAL',
  amount: 900,
  credited: 100,
  currency: 'EUR',
  lines: [{ label: 'A period', amount: 1_000 }],
  provider: 'manual',
  occurrence: 'period/1',
  atCheckout: false,
  trialOf: null,
})
const settled = PaymentSettled({ ...ids, amount: 900, currency: 'EUR', ...by, paidAt: AT.toISOString() })
const refund = { ...ids, refundId: REFUND_ID, amount: 300, currency: 'EUR', provider: 'manual', reason: 'too much' }

const THIRD = '01890000-0000-7000-8000-0000000000a4'
const FAILING = { refundId: REFUND_ID, code: 'lost', invoiceNumber: null }
const failing = { ...ids, refundId: REFUND_ID, currency: 'EUR', code: 'lost' }
const told = { disputeId: OTHER_REFUND_ID, amount: 600, currency: 'EUR', reason: 'fraudulent', providerRef: 'dp_1' }
const disputed = { ...ids, ...told, openedAt: AT.toISOString() }

describe('the rules of a payment', () => {
  const paid = () => given(payments, [requested, settled])

  it('is settled once, and then owed no more', () => {
    given(payments, [requested]).when('SettlePayment', by).then([settled])
    paid().when('SettlePayment', by).then([])
    paid().when('CancelPayment', { reason: 'late' }).then([])
    paid().when('FailPayment', { attempt: 1, code: 'card_declined' }).then([])
  })

  it('counts each attempt once', () => {
    const failed = PaymentFailed({ ...ids, attempt: 1, code: 'card_declined' })
    given(payments, [requested]).when('FailPayment', { attempt: 1, code: 'card_declined' }).then([failed])
    given(payments, [requested, failed]).when('FailPayment', { attempt: 1, code: 'card_declined' }).then([])
    given(payments, [requested, failed]).when('SettlePayment', by).then([settled])
  })

  it('can be charged for again once it is cancelled', () => {
    const cancelled = PaymentCancelled({ ...ids, occurrence: 'period/1', trialOf: null, reason: 'paused' })
    given(payments, [requested]).when('CancelPayment', { reason: 'paused' }).then([cancelled])
    expect(PaymentCancelled.options.releases?.(cancelled.data)).toEqual(
      PaymentRequested.options.takes?.(requested.data),
    )
  })

  it('holds the trial that it is for until it is cancelled', () => {
    const trial = PaymentRequested({ ...requested.data, purpose: 'TRIAL', occurrence: 'TRIAL', trialOf: 'pro' })
    const cancelled = PaymentCancelled({ ...ids, occurrence: 'TRIAL', trialOf: 'pro', reason: 'left' })
    given(payments, [trial]).when('CancelPayment', { reason: 'left' }).then([cancelled])
    const held = [
      { scope: 'charge', key: `${SUBSCRIPTION_ID}/TRIAL` },
      { scope: 'trial', key: `${CUSTOMER_ID}/pro` },
    ]
    expect(PaymentRequested.options.takes?.(trial.data)).toEqual(held)
    expect(PaymentCancelled.options.releases?.(cancelled.data)).toEqual(held)
    given(payments, [trial, settled]).when('CancelPayment', { reason: 'left' }).then([])
  })

  it('refuses lines that do not make the amount', () => {
    const ask = { ...requested.data, amount: 901 }
    expect(() => given(payments).when('RequestPayment', ask).events()).toThrow('Lines of 1000 do not add up to 1001')
  })

  it('gives back at most what was paid, what is under way included', () => {
    const asked = PaymentRefundRequested(refund)
    paid().when('RequestRefund', { refundId: REFUND_ID, amount: 300, reason: 'too much' }).then([asked])
    const then = given(payments, [requested, settled, asked])
    then
      .when('RequestRefund', { refundId: OTHER_REFUND_ID, amount: 601, reason: 'x' })
      .refused(409, 'Only 600 EUR of the payment can still be refunded')
    then
      .when('RequestRefund', { refundId: OTHER_REFUND_ID, reason: 'x' })
      .then([PaymentRefundRequested({ ...refund, refundId: OTHER_REFUND_ID, amount: 600, reason: 'x' })])
    const whole = PaymentRefundRequested({ ...refund, amount: 900 })
    given(payments, [requested, settled, whole])
      .when('RequestRefund', { refundId: OTHER_REFUND_ID, reason: 'x' })
      .refused(409, 'Nothing of the payment is left to refund')
  })

  it('has what a failed refund had reserved again', () => {
    const failed = PaymentRefundFailed({ ...failing, amount: 900, refunded: 0, invoiceNumber: null })
    const events = [requested, settled, PaymentRefundRequested({ ...refund, amount: 900 })]
    given(payments, events).when('FailRefund', FAILING).then([failed])
    given(payments, [...events, failed])
      .when('RequestRefund', { refundId: OTHER_REFUND_ID, amount: 900, reason: 'x' })
      .then([PaymentRefundRequested({ ...refund, refundId: OTHER_REFUND_ID, amount: 900, reason: 'x' })])
  })

  it('does not count as given back what failed after it seemed to be on its way', () => {
    const { reason: _reason, provider: _provider, ...asked } = refund
    const one = PaymentRefundRequested(refund)
    const other = PaymentRefundRequested({ ...refund, refundId: OTHER_REFUND_ID, amount: 600 })
    const done = { providerRef: 're_1', invoiceNumber: '2026-000002' }
    const events = [
      requested,
      settled,
      one,
      other,
      PaymentRefunded({ ...asked, left: 600, ...done }),
      PaymentRefunded({ ...asked, refundId: OTHER_REFUND_ID, amount: 600, left: 0, ...done }),
    ]
    const failed = PaymentRefundFailed({ ...failing, amount: 300, refunded: 600, invoiceNumber: '2026-000004' })
    given(payments, events)
      .when('RequestRefund', { refundId: THIRD, reason: 'x' })
      .refused(409, 'Nothing of the payment is left to refund')
    given(payments, events)
      .when('FailRefund', { ...FAILING, invoiceNumber: '2026-000004' })
      .then([failed])
    const after = given(payments, [...events, failed])
    after.when('FailRefund', FAILING).then([])
    after.when('SettleRefund', { refundId: REFUND_ID, ...done }).then([])
    after
      .when('RequestRefund', { refundId: THIRD, amount: 301, reason: 'x' })
      .refused(409, 'Only 300 EUR of the payment can still be refunded')
    after
      .when('RequestRefund', { refundId: THIRD, reason: 'too much' })
      .then([PaymentRefundRequested({ ...refund, refundId: THIRD })])
  })

  it('gives nothing back while it is disputed, and not what a lost dispute has taken', () => {
    const at = (status: 'OPEN' | 'WON' | 'LOST' | 'DROPPED', more = {}) => ({
      ...told,
      status,
      holdsRefunds: status === 'OPEN',
      ...more,
    })
    const opened = PaymentDisputed({ ...disputed, holdsRefunds: true })
    const closed = (outcome: 'WON' | 'LOST' | 'DROPPED') => PaymentDisputeClosed({ ...disputed, outcome })
    paid().when('NoteDispute', at('OPEN')).then([opened])
    const open = given(payments, [requested, settled, opened])
    open
      .when('RequestRefund', { refundId: REFUND_ID, reason: 'x' })
      .refused(409, 'The payment is disputed: it can be refunded after the dispute is decided')
    open.when('NoteDispute', { ...at('OPEN'), disputeId: THIRD }).then([])
    open.when('NoteDispute', { ...at('LOST'), disputeId: THIRD }).then([closed('LOST')])
    const lost = given(payments, [requested, settled, opened, closed('LOST')])
    lost
      .when('RequestRefund', { refundId: REFUND_ID, amount: 301, reason: 'x' })
      .refused(409, 'Only 300 EUR of the payment can still be refunded')
    lost.when('NoteDispute', at('OPEN')).then([])
    lost.when('NoteDispute', at('WON')).then([closed('WON')])
    const whole = PaymentRefundRequested({ ...refund, amount: 900 })
    given(payments, [requested, settled, opened, closed('WON')])
      .when('RequestRefund', { refundId: REFUND_ID, reason: 'too much' })
      .then([whole])
    given(payments, [
      requested,
      settled,
      opened,
      PaymentDisputeClosed({ ...disputed, currency: 'USD', amount: 1, outcome: 'LOST' }),
    ])
      .when('RequestRefund', { refundId: REFUND_ID, reason: 'too much' })
      .refused(409, 'Nothing of the payment is left to refund')
  })

  it('can give back what a bank only asks about, until it takes it', () => {
    const asked = PaymentDisputed({ ...disputed, holdsRefunds: false })
    const taken = PaymentDisputed({ ...disputed, holdsRefunds: true })
    paid()
      .when('NoteDispute', { ...told, status: 'OPEN', holdsRefunds: false })
      .then([asked])
    const then = given(payments, [requested, settled, asked])
    then
      .when('RequestRefund', { refundId: REFUND_ID, amount: 300, reason: 'too much' })
      .then([PaymentRefundRequested(refund)])
    then.when('NoteDispute', { ...told, status: 'OPEN', holdsRefunds: true }).then([taken])
  })

  it('hears of a dispute first when it is decided, and of none before it is paid', () => {
    const ask = { ...told, status: 'LOST', holdsRefunds: false } as const
    const opened = PaymentDisputed({ ...disputed, holdsRefunds: false })
    paid()
      .when('NoteDispute', ask)
      .then([opened, PaymentDisputeClosed({ ...disputed, outcome: 'LOST' })])
    given(payments, [requested])
      .when('NoteDispute', ask)
      .refused(409, 'The payment is not paid, so it cannot be disputed')
  })

  it('settles a refund once and says what is left', () => {
    const events = [requested, settled, PaymentRefundRequested(refund)]
    const ask = { refundId: REFUND_ID, providerRef: 're_1', invoiceNumber: '2026-000002' }
    const { reason: _reason, provider: _provider, ...shared } = refund
    const done = PaymentRefunded({ ...shared, left: 600, providerRef: 're_1', invoiceNumber: '2026-000002' })
    given(payments, events).when('SettleRefund', ask).then([done])
    given(payments, [...events, done])
      .when('SettleRefund', ask)
      .then([])
  })

  it('refuses a refund of what is not paid', () => {
    given(payments, [requested])
      .when('RequestRefund', { refundId: REFUND_ID, reason: 'x' })
      .refused(409, 'The payment is not paid: only a paid one can be refunded')
    given(payments).when('RequestRefund', { refundId: REFUND_ID, reason: 'x' }).refused(404, 'Not found')
  })

  it('takes a charge of a provider for one payment only', () => {
    const charge = { ...settled.data, provider: 'stripe', providerRef: 'pi_1' }
    expect(PaymentSettled.options.takes?.(charge)).toEqual([{ scope: 'charged', key: 'stripe/pi_1' }])
    expect(PaymentRecorded.options.takes?.({ ...requested.data, ...charge })).toEqual([
      { scope: 'charged', key: 'stripe/pi_1' },
    ])
  })
})

describe('the rules of credit', () => {
  const grant = {
    paymentId: PAYMENT_ID,
    customerId: CUSTOMER_ID,
    subscriptionId: null,
    amount: 500,
    currency: 'EUR',
    reason: 'sorry',
  }
  const granted = CreditGranted(grant)
  const spend = { paymentId: REFUND_ID, customerId: CUSTOMER_ID, amount: 700, currency: 'EUR' }
  const spent = CreditSpent({ ...spend, amount: 500 })

  it('pays as much as there is, and never more', () => {
    given(credits, [granted]).when('SpendCredit', spend).then([spent])
    given(credits, [granted, spent])
      .when('SpendCredit', { ...spend, paymentId: OTHER_REFUND_ID })
      .then([])
    given(credits).when('SpendCredit', spend).then([])
  })

  it('pays in its own currency only', () => {
    given(credits, [granted])
      .when('SpendCredit', { ...spend, currency: 'USD' })
      .then([])
  })

  it('comes back once from a payment that is cancelled', () => {
    const returned = CreditReturned(spent.data)
    given(credits, [granted, spent]).when('ReturnCredit', { paymentId: REFUND_ID }).then([returned])
    given(credits, [granted, spent, returned]).when('ReturnCredit', { paymentId: REFUND_ID }).then([])
    given(credits, [granted, spent, returned]).when('SpendCredit', spend).then([spent])
  })

  it('is bounded', () => {
    given(credits, [granted])
      .when('GrantCredit', { ...grant, amount: 1_000_000_000_000 })
      .refused(409, 'A customer’s credit is at most 1000000000000: grant less')
  })
})

/** Any order of commands and notices, compared with a model of a few numbers: money is neither created nor lost. */
test('nothing is paid twice, and refunds and disputes take no more than was paid, in any order', () => {
  const amount = fc.integer({ min: 1, max: 500 })
  const nth = fc.nat({ max: 5 })
  const step = fc.oneof(
    fc.record({ does: fc.constant('refund' as const), amount: fc.option(amount, { nil: undefined }) }),
    fc.record({ does: fc.constantFrom('settle' as const, 'fail' as const), nth }),
    fc.record({ does: fc.constant('pay' as const) }),
    fc.record({ does: fc.constant('cancel' as const) }),
    fc.record({
      does: fc.constant('dispute' as const),
      nth: fc.nat({ max: 1 }),
      amount,
      status: fc.constantFrom(...DISPUTE_STATUSES),
    }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let events: any[] = [requested]
      let isPaid = false
      const refunds: { id: string; amount: number; status: 'PENDING' | 'PAID' | 'FAILED' }[] = []
      const disputes = new Map<string, { amount: number; status: (typeof DISPUTE_STATUSES)[number] }>()
      const total = (amounts: readonly { amount: number }[]) => amounts.reduce((sum, each) => sum + each.amount, 0)
      const lost = () => total([...disputes.values()].filter(({ status }) => status === 'LOST'))
      const reserved = () => total(refunds.filter(({ status }) => status !== 'FAILED'))
      const paidBack = () => total(refunds.filter(({ status }) => status === 'PAID'))
      const left = () => Math.max(0, 900 - reserved() - lost())
      for (const each of steps) {
        const rules = given(payments, events)
        const before = left()
        if (each.does === 'refund') {
          const asked = each.amount ?? left()
          const id = `01890000-0000-7000-8000-${String(refunds.length).padStart(12, '0')}`
          const decide = () => rules.when('RequestRefund', { refundId: id, amount: each.amount, reason: 'x' }).events()
          const isDisputed = [...disputes.values()].some(({ status }) => status === 'OPEN')
          if (!isPaid || isDisputed || asked > left() || left() === 0) {
            expect(decide).toThrow(Rejection)
            continue
          }
          events = [...events, ...decide()]
          refunds.push({ id, amount: asked, status: 'PENDING' })
          expect(reserved() + lost(), 'never more than was paid').toBeLessThanOrEqual(900)
        } else if (each.does === 'pay' || each.does === 'cancel') {
          const happened =
            each.does === 'pay'
              ? rules.when('SettlePayment', by).events()
              : rules.when('CancelPayment', { reason: 'x' }).events()
          isPaid ||= each.does === 'pay'
          events = [...events, ...happened]
          expect(events.filter(({ type }) => type === 'PaymentSettled')).toHaveLength(isPaid ? 1 : 0)
        } else if (each.does === 'dispute' && !isPaid) {
          const ask = { ...told, status: each.status, holdsRefunds: false }
          expect(() => rules.when('NoteDispute', ask).events()).toThrow(Rejection)
        } else if (each.does === 'dispute') {
          const providerRef = `dp_${each.nth}`
          const { amount: sum, status } = each
          const ask = { ...told, providerRef, disputeId: `01890000-0000-7000-8000-0000000000b${each.nth}` }
          const holdsRefunds = status === 'OPEN'
          events = [...events, ...rules.when('NoteDispute', { ...ask, amount: sum, status, holdsRefunds }).events()]
          const known = disputes.get(providerRef)
          const isOver = known !== undefined && known.status !== 'OPEN'
          if (!isOver || (status !== 'OPEN' && status !== known.status))
            disputes.set(providerRef, { amount: sum, status })
        } else {
          const one = refunds[each.nth]
          if (!one) continue
          const { id: refundId, status } = one
          const ask = { refundId, providerRef: null, invoiceNumber: '1', code: 'lost' }
          const settles = each.does === 'settle'
          const happened = rules.when(settles ? 'SettleRefund' : 'FailRefund', ask).events()
          // A pending refund may still fail; a failed one never arrives.
          const isNews = settles ? status === 'PENDING' : status !== 'FAILED'
          expect(happened).toHaveLength(isNews ? 1 : 0)
          if (isNews) one.status = settles ? 'PAID' : 'FAILED'
          for (const event of happened) {
            if (event.type === 'PaymentRefunded') expect(event.data.left).toBe(900 - paidBack())
            if (event.type === 'PaymentRefundFailed') expect(event.data.refunded).toBe(paidBack())
          }
          if (settles) expect(left(), 'a refund is reserved once').toBe(before)
          events = [...events, ...happened]
        }
      }
    }),
    { numRuns: 500 },
  )
})

test.each([
  [0, 'EUR', '0.00 EUR'],
  [7, 'EUR', '0.07 EUR'],
  [-123_456, 'USD', '-1234.56 USD'],
  [1_234, 'JPY', '1234 JPY'],
  [1_234, 'KWD', '1.234 KWD'],
])('%i in %s reads %s', (amount, currency, text) => expect(formatAmount(amount, currency)).toBe(text))
