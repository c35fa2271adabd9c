import { expect, test } from 'vitest'
import { ProjectionProgress } from '#kernel/projections/progress'

const at = (position: number, parked: number) => ({ name: 'plans', version: 1, position, parked })

test('a look that took long takes back nothing that a later one saw', () => {
  const progress = new ProjectionProgress()
  progress.update([at(7, 1)])
  progress.update([at(6, 0)])
  expect(progress.hasPassed(['plans'], 7)).toBe(true)
  expect(progress.withParked(['plans']), 'an event that is left out is not shown').toEqual(['plans'])
})

test('what is parked no longer is known, though nothing has moved', () => {
  const progress = new ProjectionProgress()
  progress.update([at(7, 1)])
  progress.update([at(7, 0)])
  expect(progress.withParked(['plans'])).toEqual([])
})
