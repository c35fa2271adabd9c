import type { Break } from './breaks.ts'

const shop = 'test/licensing/shop/shop.test.ts'
const links = 'test/licensing/shop/links.test.ts'
const mirror = 'test/licensing/shop/mirror.test.ts'
const accounts = 'test/licensing/shop/accounts.test.ts'
const own = 'test/licensing/shop/own.test.ts'

/** What customers do by themselves, and what none of them may see. */
export const shopBreaks: readonly Break[] = [
  {
    promise: 'registering with a known address answers as with an unknown one',
    file: 'src/licensing/shop/auth/routes.ts',
    find: '    await call.runUnreported(\n      (unit) =>\n        known',
    replace: '    await (known === undefined ? call.runUnreported : call.run)(\n      (unit) =>\n        known',
    test: shop,
    named: 'the answer for a known address',
  },
  {
    promise: 'asking for a link tells nothing by its time',
    file: 'src/licensing/shop/auth/routes.ts',
    find: 'const ANSWER_MS = 250',
    replace: 'const ANSWER_MS = 0',
    test: shop,
    named: 'answers alike',
  },
  {
    promise: 'a link counts once',
    file: 'src/licensing/shop/accounts/decider.ts',
    find: '  links: [],\n})',
    replace: '})',
    test: accounts,
    named: 'counts once',
  },
  {
    promise: 'a link expires',
    file: 'src/kernel/auth/one-time-links.ts',
    find: ' && Date.parse(link.expiresAt) > at.getTime()',
    replace: '',
    test: links,
    named: 'holds for ten minutes',
  },
  {
    promise: 'a link is for one purpose',
    file: 'src/kernel/auth/one-time-links.ts',
    find: ' && purposes.includes(link.purpose)',
    replace: '',
    test: accounts,
    named: 'is for one purpose',
  },
  {
    promise: 'links lead to the configured shop',
    file: 'src/licensing/shop/auth/routes.ts',
    find: '  await requireLinkDelivery(call)\n',
    replace: '',
    test: links,
    named: 'without SHOP_URL',
  },
  {
    promise: 'a mailbox is not flooded',
    file: 'src/licensing/shop/accounts/decider.ts',
    find: 'isRequestedTooSoon(account?.links ?? [], ask.purpose, at) ? []',
    replace: 'isRequestedTooSoon([], ask.purpose, at) ? []',
    test: shop,
    named: 'mailed once in five minutes',
  },
  {
    promise: 'a new password by a link ends every session',
    file: 'src/licensing/shop/auth/routes.ts',
    find: "      await endShopSessions(unit, customerId, 'PASSWORD_RESET')\n",
    replace: '',
    test: shop,
    named: 'every session ends',
  },
  {
    promise: 'staff and customers have counters of their own',
    file: 'src/licensing/access/customer-realm.ts',
    find: "counterPrefix: 'shop/'",
    replace: "counterPrefix: ''",
    test: shop,
    named: 'do not count against staff',
  },
  {
    promise: 'the session of who is no active customer is none',
    file: 'src/licensing/access/customer-caller.ts',
    find: "    .where('customer.status', '=', 'ACTIVE')\n",
    replace: '',
    test: shop,
    named: 'a session that outlives the suspension',
  },
  {
    promise: 'a customer sees his own subscriptions only',
    file: 'src/licensing/shop/subscriptions/routes.ts',
    find: "where('id', '=', id).where('customerId', '=', customerId)",
    replace: "where('id', '=', customerId && id)",
    test: mirror,
    named: 'GET /api/shop/subscriptions/:id',
  },
  {
    promise: 'a customer sees his own licenses only',
    file: 'src/licensing/shop/licenses/routes.ts',
    find: "licenseRows(read, now).where('customerId', '=', customerId)",
    replace:
      "licenseRows(read, now).where('customerId', '!=', now.toISOString() && '01890000-0000-7000-8000-000000000000')",
    test: mirror,
  },
  {
    promise: 'a key asks for a fresh proof',
    file: 'src/licensing/shop/licenses/routes.ts',
    find: 'reply: LicenseKey,\n    guard: requireCustomerStepUp,',
    replace: 'reply: LicenseKey,',
    test: links,
    named: 'a proof of the last five minutes',
  },
  {
    promise: 'where a second factor is on, the password alone proves nothing',
    file: 'src/kernel/auth/manage-credentials.ts',
    find: "  if ('password' in body && member.totp)\n    reject",
    replace: "  if ('password' in body && !member)\n    reject",
    test: shop,
    named: 'the password alone is no proof',
  },
  {
    promise: 'the password of a customer is sealed',
    file: 'src/licensing/shop/accounts/events.ts',
    find: 'const passwordHash = sealed(z.string())',
    replace: 'const passwordHash = z.string()',
    test: shop,
    named: 'nothing of his can be read',
  },
  {
    promise: 'a customer sees his own machines only',
    file: 'src/licensing/shop/instances/routes.ts',
    find: "instancesAt(read, now).where('customerId', '=', customerOf(caller).customerId)",
    replace: "instancesAt(read, now).where('customerId', '<>', customerOf(caller).sid)",
    test: mirror,
    named: 'any id of another is like none',
  },
  {
    promise: 'customers free three slots a day',
    file: 'src/licensing/access/customer-limits.ts',
    find: "name: 'own-deactivation', windowMax: 3",
    replace: "name: 'own-deactivation', windowMax: 30",
    test: own,
    named: 'three a day',
  },
  {
    promise: 'a suspension ends sessions for good',
    file: 'src/licensing/workflows/subscriptions/set-customer-status.ts',
    find: "  if (change.status === 'SUSPENDED') await endShopSessions(unit, customerId, 'SUSPENDED')\n",
    replace: '',
    test: own,
    named: 'is out at once',
  },
  {
    promise: 'registering can be closed',
    file: 'src/licensing/shop/auth/routes.ts',
    find: "if (!(await settingOf(call.read, 'shopRegistration')))",
    replace: "if (!(await settingOf(call.read, 'shopRegistration')) && call.body.name)",
    test: own,
    named: 'can be closed',
  },
  {
    promise: 'no customer signs in while he is suspended',
    file: 'src/kernel/commands/unit-of-work.ts',
    find: `for (const [stream, { expected, newEvents }] of this.#seen)
`,
    replace: `for (const [stream, { expected, newEvents }] of this.#seen) if (newEvents.length > 0)
`,
    test: 'test/licensing/service/overtaken.test.ts',
    named: 'a customer signs in > and is suspended',
  },
  {
    promise: 'a stranger does not mute the mails of the owner',
    file: 'src/licensing/shop/auth/routes.ts',
    find: '    await work(await emailKeyOf(call.vault, email))\n',
    replace:
      '    const emailKey = await emailKeyOf(call.vault, email)\n' +
      '    if (await isWithinLimit(call, NOTICE_MAILS, `${emailKey}/all`)) await work(emailKey)\n',
    test: links,
    named: 'the owner is not muted',
  },
]
