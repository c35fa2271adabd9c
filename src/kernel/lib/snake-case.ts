/** `createdAt` as SQL spells it: `created_at`. */
export const snake = (name: string): string => name.replace(/[A-Z]/g, '_$&').toLowerCase()
