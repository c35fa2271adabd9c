/** The exceptions from the check of the audit trail: each one names a route that exists. */
import { expect, test } from 'vitest'
import { auditViolations } from '#test/support/audit-trail-check'
import type { AnsweredRequest } from '#test/support/audit-trail-check'
import { routes } from '../../src/composition/panel.ts'
import { AUDIT_EXCEPTIONS } from '../support/panel/service.ts'

const EXCEPTIONS = {
  recordedReads: { 'GET /secret': 'secrets are counted' },
  silentChanges: { 'POST /again': 'a second time changes nothing' },
  recordedRefusals: { 'POST /login': 'a failed login' },
}

const broken = (route: string, status: number, { has = false, repeated = false } = {}): number => {
  const answered: AnsweredRequest = { requestId: 'r', method: route.split(' ')[0]!, status, route }
  const [entries, again] = [new Set(has ? ['r'] : []), new Set(repeated ? ['r'] : [])]
  return auditViolations([answered], entries, EXCEPTIONS, again).length
}

test('a change that was made leaves an entry, a refusal and a read leave none', () => {
  for (const status of [200, 201, 202, 204]) {
    expect([broken('PUT /thing', status, { has: true }), broken('PUT /thing', status)]).toEqual([0, 1])
    expect([broken('GET /thing', status, { has: true }), broken('GET /thing', status)]).toEqual([1, 0])
  }
  for (const status of [304, 400, 401, 403, 404, 409, 500, 503])
    expect([broken('PUT /thing', status, { has: true }), broken('PUT /thing', status)]).toEqual([1, 0])
})

test('an answer that is given again leaves no second entry', () => {
  const repeated = true
  expect([broken('PUT /thing', 200, { repeated }), broken('PUT /thing', 200, { repeated, has: true })]).toEqual([0, 1])
})

test('an exception holds for its route and its side alone', () => {
  expect([broken('GET /secret', 200, { has: true }), broken('GET /secret', 200)]).toEqual([0, 1])
  expect([broken('POST /again', 200), broken('POST /again', 409, { has: true })]).toEqual([0, 1])
  expect([broken('POST /login', 401, { has: true }), broken('POST /login', 200)]).toEqual([0, 1])
})

test('each exception is of a route that there is, and says why', () => {
  const lines = new Set(routes.map(({ line }) => line as string))
  for (const [line, why] of Object.values(AUDIT_EXCEPTIONS).flatMap((each) => Object.entries(each))) {
    expect(lines).toContain(line)
    expect(why).toMatch(/\w/)
  }
})
