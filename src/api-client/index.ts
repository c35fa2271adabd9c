/** The transport. `licensing.ts` and `panel.ts` export the operations. */
export { createCall } from './call.ts'
export type { Answer, Call, CallInput, Connection } from './call.ts'
export { createFeed } from './feed.ts'
export type { Feed, FeedChange, FeedEvent, FeedOptions, FeedReset } from './feed.ts'
export type { DataOf, JsonSchema, Operation, OperationFacts } from './operation.ts'
export { createWalk, readPage } from './paging.ts'
export type { ItemOf, Page, Place, WalkList } from './paging.ts'
export { Refusal } from './refusal.ts'
