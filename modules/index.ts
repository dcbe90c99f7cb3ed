// A line for each folder here. config/product.ts says which are on.
export * as documents from './documents/contract.ts'
export * as notices from './notices/contract.ts'
export * as webhooks from './webhooks/contract.ts'
