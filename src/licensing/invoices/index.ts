import { section } from '#kernel/resource/section'
import { invoiceRoutes } from './routes.ts'

/** Invoices are issued by the payments section. */
export const invoicesSection = section({ name: 'invoices', routes: invoiceRoutes })
