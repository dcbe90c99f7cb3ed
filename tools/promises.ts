// Part of npm run check: names what the shipped words promise and nothing in the product stands
// behind, until an adopter builds it or rewrites the words. It fails nothing.
import { plans } from '../config/plans.ts'
import { product } from '../config/product.ts'
import { findLimit, limitNames } from '../contract/entitlements.ts'
import { loadTranslator } from '../locales/load-translator.ts'
import { missingInProduct } from '../server/running/announce.ts'

const { helpUrl, supportEmail } = product
const claims = [
  { said: /storage/i, isKept: limitNames.some((name) => findLimit(name).unit === 'bytes') },
  { said: /phone/i, isKept: false },
  { said: /help center/i, isKept: helpUrl !== undefined },
  { said: /support/i, isKept: supportEmail !== undefined },
]
const t = await loadTranslator('en')
const lines = plans.flatMap(({ titleKey, descriptionKeys }) =>
  descriptionKeys.map((key) => ({ plan: t(titleKey), line: t(key) })),
)
const empty = lines.filter(({ line }) =>
  claims.some(({ said, isKept }) => !isKept && said.test(line)),
)
for (const { plan, line } of empty)
  console.log(`promises: ${plan} is sold with “${line}”, and nothing here stands behind it.`)
for (const missing of missingInProduct(product)) console.log(`promises: ${missing}`)
console.log(
  empty.length > 0
    ? 'promises: build what plans are sold with, or rewrite their words in locales/.'
    : 'promises: the product has what its plans are sold with.',
)
