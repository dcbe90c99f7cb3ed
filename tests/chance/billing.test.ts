import * as fc from 'fast-check'
import { test } from 'vitest'
import { comeToRest } from './rest.ts'
import { aStage } from './stage.ts'
import { step, type Step } from './steps.ts'

/** How many steps to run, and the longest story. A seed with a path repeats one story. */
const {
  CHANCE_STEPS = '600',
  CHANCE_LENGTH = '100',
  CHANCE_SEED = '5000',
  CHANCE_PATH,
} = process.env
const hour = 3_600_000

const first = Number(CHANCE_SEED)
/** fast-check repeats a failed story at most 100 times to find a shorter one that fails. */
const story = fc.limitShrink(
  fc.noBias(fc.array(step, { maxLength: Number(CHANCE_LENGTH), size: 'max' })),
  100,
)

test(
  'after random calls, clock changes and faults our books agree with the payment provider’s',
  { timeout: 10 * hour },
  async () => {
    const seeds = CHANCE_PATH === undefined ? [first, first + 1, first + 2] : [first]
    const telling = seeds.map(async (seed) => {
      // Each seed counts its own steps: the speed of the other seeds changes none of its stories.
      let steps = 0
      // The limit of steps does not apply while fast-check shortens a failed story.
      let isShortened = CHANCE_PATH !== undefined
      const property = fc.asyncProperty(story, async (story) => {
        if (steps >= Number(CHANCE_STEPS) / seeds.length && !isShortened) return
        steps += story.length
        await tell(story).catch((error: unknown) => {
          isShortened = true
          throw error
        })
      })
      await fc.assert(property, settings(seed))
    })
    for (const told of await Promise.allSettled(telling))
      if (told.status === 'rejected') throw told.reason
  },
)

function settings(seed: number): fc.Parameters<[Step[]]> {
  return {
    seed,
    // More runs than needed: after enough steps the property skips the rest.
    numRuns: Number(CHANCE_STEPS),
    ...(CHANCE_PATH !== undefined && { path: CHANCE_PATH }),
    asyncReporter: async (told) => {
      if (!told.failed) return
      const again = `CHANCE_SEED=${told.seed} CHANCE_PATH=${told.counterexamplePath} CHANCE_LENGTH=${CHANCE_LENGTH}`
      throw new Error(
        `${(told.errorInstance as Error).message}\n\n(${told.numShrinks} times made shorter; again with ${again})`,
      )
    },
  }
}

/** Runs a story on its own stage. If it fails, the error lists its steps. */
async function tell(story: Step[]) {
  const stage = await aStage()
  const told: string[] = []
  try {
    for (const { says, does } of story) {
      told.push(says)
      const came = await does(stage)
      if (typeof came === 'string') told[told.length - 1] += ` (${came})`
      await stage.look()
    }
    told.push('in the end everything comes to rest')
    await comeToRest(stage)
  } catch (error) {
    const lines = told.map((line, index) => `${String(index + 1).padStart(3)}. ${line}`)
    throw new Error(`${lines.join('\n')}\n\n${(error as Error).stack}`, { cause: error })
  } finally {
    await stage.close()
  }
}
