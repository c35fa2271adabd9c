/** Kinds of work on hosts: what a section of the panel asks for, an agent can do, and the other way round. */
import { expect, test } from 'vitest'
import { askedAsk, askedFollow } from '#panel/agent/asks'
import { askedTask } from '#panel/agent/kinds'
import { askedPlan } from '#panel/agent/plans'
import { sections } from '#panel/index'
import { hostEngine } from '../../src/agent/host/engine.ts'
import { startMesh } from '../../src/agent/mesh/mesh.ts'
import { allAskersOn, followersOn, performersOn, plannersOn } from '../../src/agent/performers.ts'
import { UPDATE_KINDS } from '../../src/agent/release/update.ts'
import { planApply } from '../../src/tasks/plan.ts'
import { noProxy } from '../support/agent/no-proxy.ts'

const namesOf = (all: readonly { readonly kind: { readonly name: string; readonly version: number } }[]): string[] =>
  all.map(({ kind: { name, version } }) => `${name} ${version}`).toSorted()

test('each kind that a section asks for has one performer, each ask one asker, and each plan one planner', () => {
  const nowhere = { ...hostEngine('unix:///nowhere'), directory: '/nowhere', proxy: noProxy }
  // Each agent performs plans itself, and each executable of one its updates.
  const performed = [...performersOn(nowhere), { kind: planApply }, ...UPDATE_KINDS.map((kind) => ({ kind }))]
  expect(namesOf(performed)).toEqual(namesOf(askedTask.in(sections)))
  expect(namesOf(allAskersOn(nowhere))).toEqual(namesOf(askedAsk.in(sections)))
  expect(namesOf(followersOn(nowhere))).toEqual(namesOf(askedFollow.in(sections)))
  expect(namesOf(plannersOn(nowhere.call, startMesh('a server')))).toEqual(namesOf(askedPlan.in(sections)))
})
