/** `createdAt` as SQL spells it: `created_at`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, '_$&').toLowerCase()
