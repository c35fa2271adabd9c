/** Turns `createdAt` into the column name `created_at`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, '_$&').toLowerCase()
