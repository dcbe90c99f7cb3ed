import { limits } from '#config/limits.ts'

export const daysKept = Math.round(limits.activity.kept / (24 * 3_600_000))
