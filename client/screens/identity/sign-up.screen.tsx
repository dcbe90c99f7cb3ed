import { paths } from '#contract/paths.ts'
import { product } from '#config/product.ts'
import { Suspense } from 'react'
import { useLocation } from 'react-router'
import type { CallError } from '../../api/post.ts'
import { AddressField } from '../../components/address-field.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { TextField } from '../../components/fields.tsx'
import { Message } from '../../components/message.tsx'
import { NewPasswordField } from '../../components/new-password-fields.tsx'
import { TextLink } from '../../components/button.tsx'
import { Bone } from '../../components/skeleton.tsx'
import { loadAllTexts, useLanguage, useT } from '../../platform/i18n.ts'
import { later } from '../../platform/later.ts'
import { returnPath } from '../../platform/return-path.ts'
import { AuthCard } from '../../layouts/auth-layout.tsx'
import { useEmailField, useLinksWithAddress } from './use-email-field.ts'
import { ProviderButtons } from './providers.tsx'

// Most visitors come without a plan, and need none of the texts about prices.
const ChosenPlan = later(async () => {
  const [{ ChosenPlan }] = await Promise.all([import('./chosen-plan.tsx'), loadAllTexts()])
  return ChosenPlan
})

export function SignUp() {
  const t = useT()
  const language = useLanguage()
  const { linkTo, onType } = useLinksWithAddress()
  const place = new URL(returnPath(useLocation().search), location.origin)
  const hasChosen = place.pathname === paths.createPlan && place.searchParams.has('plan')
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
      {hasChosen && (
        <Suspense fallback={<Bone className="h-11 animate-late" />}>
          <ChosenPlan />
        </Suspense>
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

const { termsUrl, privacyUrl } = product
const sentence = termsUrl ? (privacyUrl ? 'both' : 'terms') : privacyUrl ? 'privacy' : undefined

/** Says what people agree to. Draws nothing if the configuration has neither of the documents. */
function Consent() {
  const t = useT()
  if (!sentence) return null
  const documents = {
    terms: { url: termsUrl, name: t('auth.consent.theTerms') },
    privacy: { url: privacyUrl, name: t('auth.consent.thePrivacy') },
  }
  // The places of the links in the sentence are marked, since a text can't hold them.
  const pieces = t(`auth.consent.${sentence}`, { terms: '<terms>', privacy: '<privacy>' })
  return (
    <p className="text-small text-soft">
      {pieces.split(/<(terms|privacy)>/).map((piece) => {
        const document = Object.hasOwn(documents, piece) && documents[piece as 'terms' | 'privacy']
        if (!document) return piece
        return (
          <a
            key={piece}
            href={document.url}
            target="_blank"
            rel="noreferrer"
            className="rounded-control font-medium text-accent-ink underline underline-offset-3"
          >
            {document.name}
          </a>
        )
      })}
    </p>
  )
}
