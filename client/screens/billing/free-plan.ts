import { plans, type Plan } from '#config/plans.ts'

/** The one that a project can be on without paying, if there is one. */
export const freePlan = plans.find((plan: Plan) => plan.free && !plan.legacy) as Plan | undefined
