/** Kinds of work on hosts: what a section of the panel asks for, an agent can do, and the other way round. */
import { expect, test } from 'vitest'
import { askedAsk } from '#panel/agent/asks'
import { askedTask } from '#panel/agent/kinds'
import { askedPlan } from '#panel/agent/plans'
import { sections } from '#panel/index'
import { engineCall } from '../../src/agent/engine-call.ts'
import { startMesh } from '../../src/agent/mesh/mesh.ts'
import { askersOn, performersOn, plannersOn } from '../../src/agent/performers.ts'
import { planApply } from '../../src/tasks/plan.ts'

const namesOf = (all: readonly { readonly kind: { readonly name: string; readonly version: number } }[]): string[] =>
  all.map(({ kind: { name, version } }) => `${name} ${version}`).toSorted()

test('each kind that a section asks for has one performer, each ask one asker, and each plan one planner', () => {
  const nowhere = engineCall('/nowhere')
  // Each agent performs plans itself.
  const performed = [...performersOn(nowhere), { kind: planApply }]
  expect(namesOf(performed)).toEqual(namesOf(askedTask.in(sections)))
  expect(namesOf(askersOn(nowhere))).toEqual(namesOf(askedAsk.in(sections)))
  expect(namesOf(plannersOn(nowhere, startMesh('a server')))).toEqual(namesOf(askedPlan.in(sections)))
})
