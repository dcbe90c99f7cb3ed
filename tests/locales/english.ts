import { english as shipped } from '../../locales/english.ts'
import own from './en.json' with { type: 'json' }

/** The product's texts, with the words of the tests' own plans, permissions and settings fields. */
export const english = {
  ...shipped,
  plans: { ...shipped.plans, ...own.plans },
  permissions: { ...shipped.permissions, ...own.permissions },
  settings: { ...shipped.settings, ...own.settings },
}
