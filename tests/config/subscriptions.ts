export * from '../../config/subscriptions.ts'
