import { plans, type Plan } from '#config/plans.ts'

/** The plan that costs nothing, if there is one. */
export const freePlan = plans.find((plan: Plan) => plan.free && !plan.legacy) as Plan | undefined
