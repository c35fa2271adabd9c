/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { Provisioning } from './schemas.ts'

/** Create or reuse a customer, create a subscription and issue a license, all or nothing. A `reference` makes the call repeatable. */
export const postAdminProvisioning = /*#__PURE__*/ operation<{
  readonly body: {
    /** The end customer. An existing account with this address, in any spelling, is reused and never modified. */
    readonly email: string
    /** The plan, by its slug. */
    readonly planSlug: string
    /** The number of seats. */
    readonly seats?: number | undefined
    /** How often the subscription is billed. */
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
    /** The state of the record. */
    readonly status?: 'ACTIVE' | 'TRIALING' | undefined
    /** In the future, at most ten years ahead; one year from now if absent. The license expires at the same time. */
    readonly currentPeriodEnd?: string | undefined
    /** Only recorded: the license gets the cap of the plan. */
    readonly maxActivations?: number | undefined
    /** Such as the number of the order. A repeated reference never creates a second subscription. */
    readonly reference?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: Provisioning
}>('POST /api/admin/provisioning', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  shownOnce: ['licenseKey', 'installCommand'],
  body: {
    type: 'object',
    properties: {
      email: {
        description:
          'The end customer. An existing account with this address, in any spelling, is reused and never modified.',
        type: 'string',
        maxLength: 254,
        format: 'email',
      },
      planSlug: { type: 'string', maxLength: 64, 'x-names': 'plans', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      seats: { default: 1, type: 'integer', minimum: 1, maximum: 1000000 },
      billingCycle: { default: 'YEARLY', type: 'string', enum: ['MONTHLY', 'YEARLY'] },
      status: { default: 'ACTIVE', type: 'string', enum: ['ACTIVE', 'TRIALING'] },
      currentPeriodEnd: {
        description:
          'In the future, at most ten years ahead; one year from now if absent. The license expires at the same time.',
        type: 'string',
        format: 'date-time',
      },
      maxActivations: {
        description: 'Only recorded: the license gets the cap of the plan.',
        type: 'integer',
        minimum: 1,
        maximum: 1000000,
      },
      reference: {
        description: 'Such as the number of the order. A repeated reference never creates a second subscription.',
        type: 'string',
        pattern: '^[\\x20-\\x7e]{1,200}$',
      },
    },
    required: ['email', 'planSlug'],
    additionalProperties: false,
  },
})
