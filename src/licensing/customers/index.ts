import { section } from '#kernel/resource/section'
import { customerTable } from '#projections/licensing/customers'
import { creditRoutes } from './credits/routes.ts'
import { customers } from './decider.ts'
import { customerEvents, customerExports } from './events.ts'
import { customerRoutes } from './routes.ts'

export const customersSection = section({
  name: 'customers',
  streams: [customerEvents, customerExports],
  deciders: [customers],
  readModels: [customerTable],
  routes: [...customerRoutes, ...creditRoutes],
})
