import { daybook } from './daybook.ts'
import { peers } from './peers.ts'
import type { Subject } from './subject.ts'

export function subjectNamed(name: string): Subject {
  const subject = [daybook, ...peers].find((each) => each.name === name)
  if (!subject) throw new Error(`There is no store called ${name}`)
  return subject
}
