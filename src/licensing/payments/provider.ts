/**
 * The port to a provider of card and account payments. Manual invoicing needs none: staff record
 * the payments.
 */
import { reject } from '#kernel/lib/rejection'
import { serviceKey } from '#kernel/lib/services'
import type { ReportedDispute } from './decider.ts'

export interface CheckoutPageRequest {
  readonly paymentId: string
  /** In minor units; 0: only a means of payment is collected, for the end of a trial. */
  readonly amount: number
  readonly currency: string
  /** The text that the customer sees on the page. */
  readonly description: string
  readonly email: string
  readonly returnUrl: string
  readonly cancelUrl: string
  /** When the page stops accepting payments. */
  readonly expiresAt: Date
}

export interface ChargeRequest {
  readonly paymentId: string
  /** Counted from 1. Requesting an attempt again does not charge again. */
  readonly attempt: number
  readonly amount: number
  readonly currency: string
  readonly description: string
  readonly customerRef: string
  readonly methodRef: string
}

export interface RefundRequest {
  readonly paymentId: string
  readonly refundId: string
  /** The provider's id of the charge. */
  readonly providerRef: string
  readonly amount: number
}

/** The provider's present state of one of our payments. */
export type ProviderReport =
  | {
      readonly what: 'paid'
      readonly paymentId: string
      readonly amount: number
      readonly currency: string
      /** The provider's id of the charge. */
      readonly ref: string | null
      /** The means of payment for later charges; undefined: later charges are not allowed. */
      readonly billing?: { readonly customerRef: string; readonly methodRef: string } | undefined
    }
  | { readonly what: 'failed'; readonly paymentId: string; readonly attempt: number; readonly code: string }
  | { readonly what: 'expired'; readonly paymentId: string }
  | { readonly what: 'refunded'; readonly paymentId: string; readonly refundId: string; readonly ref: string }
  | { readonly what: 'refundFailed'; readonly paymentId: string; readonly refundId: string; readonly code: string }
  | {
      readonly what: 'disputed'
      readonly paymentId: string
      /** The provider's id of the charge, which may be recorded as another payment. */
      readonly ref: string
      readonly dispute: ReportedDispute
    }

/**
 * Reports that an object changed. The change itself is read from the provider, so notices may be
 * late, repeated and in any order.
 */
export interface ProviderNotice {
  readonly id: string
  readonly kind: string
  /** The object's id; undefined: the object does not concern us. */
  readonly ref: string | undefined
}

/**
 * Every method
 * @throws ProviderUnavailable if the outcome is unknown; repeating the call performs the action
 * once.
 */
export interface PaymentProvider {
  readonly name: string
  createCheckout(ask: CheckoutPageRequest): Promise<{ readonly ref: string; readonly url: string }>
  /** Stops further payments on the page. A payment that was made stays valid. */
  closeCheckout(ref: string): Promise<void>
  /**
   * Charges without the customer.
   * @returns undefined while the provider does not know the outcome
   */
  charge(ask: ChargeRequest): Promise<ProviderReport | undefined>
  refund(ask: RefundRequest): Promise<ProviderReport | undefined>
  /**
   * @param signature the provider's signature header.
   * @throws Rejection 400 for a wrong or old signature
   */
  verifyWebhook(body: Buffer, signature: string | undefined, now: Date): ProviderNotice
  /** @returns undefined for objects that do not concern us or are undecided */
  fetchReport(ref: string): Promise<ProviderReport | undefined>
}

export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}

/** For callers that can continue without the answer. */
export function ignoreOutage(error: unknown): undefined {
  if (!(error instanceof ProviderUnavailable)) throw error
}

/**
 * For callers that need the answer.
 * @throws Rejection 503 if the provider gave none
 */
export async function requireProviderAnswer<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    return reject('unavailable', 'The payment provider does not answer: try again later', 'PROVIDER_UNAVAILABLE', {
      'Retry-After': '30',
    })
  }
}

/** Undefined: this installation only sends invoices. */
export const paymentProvider = serviceKey<PaymentProvider | undefined>('payment provider', undefined)

/**
 * The seller on invoices: name, address and tax number, one per line. Empty: the installation's URL
 * is used.
 */
export const invoiceSeller = serviceKey<readonly string[]>('invoice seller', [])
