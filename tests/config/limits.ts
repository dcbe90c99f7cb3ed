export { billingLimits, limits, rateLimits, type PageSize } from '../../config/limits.ts'
