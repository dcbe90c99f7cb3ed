import { findPlan } from '#contract/access.ts'
import { paths } from '#contract/paths.ts'
import { choiceOf } from '#contract/price-choice.ts'
import { priceWords } from '#contract/price-words.ts'
import { nearestPrice } from '#contract/prices.ts'
import { useLocation } from 'react-router'
import type { CallError } from '../../api/post.ts'
import { AddressField } from '../../components/address-field.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { TextField } from '../../components/fields.tsx'
import { Message } from '../../components/message.tsx'
import { NewPasswordField } from '../../components/new-password-fields.tsx'
import { TextLink } from '../../components/button.tsx'
import { useLanguage, useT } from '../../platform/i18n.ts'
import { returnPath } from '../../platform/return-path.ts'
import { AuthCard } from '../../layouts/auth-layout.tsx'
import { Consent } from './consent.tsx'
import { useEmailField, useLinksWithAddress } from './use-email-field.ts'
import { ProviderButtons } from './providers.tsx'

export function SignUp() {
  const t = useT()
  const language = useLanguage()
  const { linkTo, onType } = useLinksWithAddress()
  const chosen = chosenPlan(useLocation().search)
  const emailField = useEmailField()
  const signIn = (
    <>
      {t('auth.haveAccount')} <TextLink {...linkTo(paths.signIn)}>{t('auth.signIn')}</TextLink>
    </>
  )

  function explain(error: CallError) {
    if (error.reason !== 'auth/email-already-in-use') return undefined
    const wayOn = <TextLink {...linkTo(paths.signIn)}>{t('auth.signInInstead')}</TextLink>
    // The field says why.
    return (
      <Message tone="bad" action={wayOn}>
        {t('auth.signUpFailed')}
      </Message>
    )
  }

  return (
    <AuthCard title={t('auth.createYourAccount')} intro={signIn} front>
      {chosen && (
        <Message tone="neutral">
          {t('pricing.chosen', {
            plan: t(chosen.plan.titleKey),
            price: priceWords(chosen.price, t),
          })}
        </Message>
      )}
      <CallForm
        call="signUp"
        submit="auth.createAccount"
        failed="auth.signUpFailed"
        explain={explain}
        focused
        wide
      >
        <input type="hidden" name="language" value={language} />
        <TextField
          name="fullName"
          label="auth.fullName"
          autoComplete="name"
          maxLength={100}
          required
        />
        <AddressField {...emailField} onType={onType} />
        <NewPasswordField name="password" label="auth.password" />
      </CallForm>
      <ProviderButtons />
      <Consent />
    </AuthCard>
  )
}

/** The plan that a visitor has chosen, with its price, and to which the sign-up leads. */
function chosenPlan(search: string) {
  const { pathname, searchParams } = new URL(returnPath(search), location.origin)
  if (pathname !== paths.createPlan) return undefined
  const plan = findPlan(searchParams.get('plan') ?? '')
  if (!plan || plan.legacy) return undefined
  const { interval, currency } = choiceOf(searchParams, navigator.languages)
  return { plan, price: nearestPrice(plan, interval, currency) }
}
